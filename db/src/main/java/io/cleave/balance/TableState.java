package io.cleave.balance;

import io.cleave.schema.Balancer;
import io.cleave.schema.Column;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.value.Type;

import java.util.List;

/// A table with its tablets in key order, and the bundle whose cells they may be in.
///
/// @param balancer whose policy decides about the table; for an index table, that of its table
public record TableState(Table table, String bundle, Balancer balancer, List<TabletState> tablets) {
    public TableState {
        tablets = List.copyOf(tablets);
    }

    public Partitioning partitioning() {
        return table.options().partitioning();
    }

    public List<Type> keyTypes() {
        return table.key().stream().map(Column::type).toList();
    }

    /// The size from which a tablet is split, by the setting of its table or by force.
    public long splitBytes(BalanceSettings settings) {
        Partitioning wanted = partitioning();
        boolean isLess = wanted.sizeMegabytes() < settings.forceSplitBytes() >> 20;
        return wanted.bySize() && isLess
                ? wanted.sizeMegabytes() << 20
                : settings.forceSplitBytes();
    }

    public boolean isCrowded() {
        return partitioning().maxCount() != 0 && tablets.size() > partitioning().maxCount();
    }
}

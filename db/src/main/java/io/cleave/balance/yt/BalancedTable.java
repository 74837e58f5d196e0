package io.cleave.balance.yt;

import io.cleave.balance.TableState;
import io.cleave.balance.yt.StoredConfigs.TableRead;
import io.cleave.balance.yt.move.MovableTable;
import io.cleave.balance.yt.move.StayReason;
import io.cleave.balance.yt.reshard.InMemoryMode;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupChoice;
import io.cleave.balance.yt.settings.GroupSettings;
import io.cleave.balance.yt.settings.TableSettings;

import java.util.Optional;

/// A table of the policy with its settings, and the group of its bundle that it is balanced in.
record BalancedTable(
        TableState state, TableSettings settings, InMemoryMode inMemoryMode, GroupChoice group) {
    static BalancedTable of(TableState state, TableRead read, BundleSettings bundle) {
        boolean isInMemory = read.inMemoryMode() != InMemoryMode.NONE;
        return new BalancedTable(
                state,
                read.settings(),
                read.inMemoryMode(),
                GroupChoice.of(read.settings(), bundle, isInMemory));
    }

    long id() {
        return state.table().id();
    }

    /// The name of its group, also if the bundle has no such group.
    String groupName() {
        return group.name();
    }

    /// Why its tablets are not moved, if the reason is its group; empty if they may be.
    Optional<StayReason> stay(BundleSettings bundle) {
        boolean isOut =
                group instanceof GroupChoice.Chosen(_, GroupSettings chosen)
                        && chosen.type() == GroupSettings.Type.PARAMETERIZED
                        && !isByMetric(bundle);
        return isOut ? Optional.of(StayReason.NOT_PARAMETERIZED) : Optional.empty();
    }

    /// Whether its tablets are moved and resharded by the metric of its group.
    boolean isByMetric(BundleSettings bundle) {
        return group.isByMetric(settings, bundle);
    }

    private boolean isInGroup(BundleSettings bundle) {
        return group instanceof GroupChoice.Chosen && stay(bundle).isEmpty();
    }

    boolean isInMemory() {
        return inMemoryMode != InMemoryMode.NONE;
    }

    MovableTable movable(BundleSettings bundle) {
        return new MovableTable(
                id(),
                isInMemory(),
                isInGroup(bundle) ? groupName() : "",
                settings.enableAutoTabletMove(),
                isByMetric(bundle));
    }
}

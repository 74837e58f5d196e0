package io.cleave.balance.yt;

import io.cleave.balance.BundleState;
import io.cleave.balance.ClusterState;
import io.cleave.balance.yt.StoredConfigs.Result;
import io.cleave.balance.yt.StoredConfigs.TableRead;
import io.cleave.balance.yt.reshard.InMemoryMode;
import io.cleave.balance.yt.schedule.ClusterConfig;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupChoice;
import io.cleave.schema.Table;

import java.util.Optional;

/// The groups in which tables are balanced.
public final class TableGroups {
    private TableGroups() {}

    /// The settings of all bundles. Throws a [io.cleave.yt.error.YtException] if they cannot be
    /// read.
    public static ClusterConfig cluster(ClusterState state) {
        return StoredConfigs.readCluster(state.config());
    }

    /// The settings of a bundle. Throws a [io.cleave.yt.error.YtException] if they cannot be read.
    public static BundleSettings settings(BundleState bundle) {
        return StoredConfigs.readBundle(bundle.attributes());
    }

    /// The name of the table's group, also if the bundle has no such group. Empty if the settings
    /// of the table cannot be read.
    public static Optional<String> of(Table table, BundleSettings bundle) {
        return switch (new StoredConfigs().table(table)) {
            case Result.Broken<TableRead> _ -> Optional.empty();
            case Result.Read<TableRead>(TableRead read) -> {
                boolean isInMemory = read.inMemoryMode() != InMemoryMode.NONE;
                yield Optional.of(GroupChoice.of(read.settings(), bundle, isInMemory).name());
            }
        };
    }
}

package io.cleave.balance.yt;

import io.cleave.balance.TableState;
import io.cleave.balance.yt.StoredConfigs.TableRead;
import io.cleave.balance.yt.move.MovableTable;
import io.cleave.balance.yt.reshard.InMemoryMode;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupChoice;
import io.cleave.balance.yt.settings.TableSettings;

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

    MovableTable movable() {
        return new MovableTable(
                id(),
                inMemoryMode != InMemoryMode.NONE,
                group instanceof GroupChoice.Chosen ? groupName() : "",
                settings.enableAutoTabletMove());
    }
}

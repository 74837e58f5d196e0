package io.cleave.yt.tree;

import io.cleave.value.YsonNode;

import java.util.Optional;

/// A setting of a table that a command has changed. It is made when the command, or its
/// transaction, has been committed.
///
/// @param value empty if the setting is removed
/// @param change makes the change
record TableSetting(long tableId, String name, Optional<YsonNode> value, Runnable change) {
    boolean isOf(long otherId, String otherName) {
        return tableId == otherId && name.equals(otherName);
    }
}

package io.cleave.yt.tree;

import io.cleave.value.YsonNode;

import java.util.Optional;

/// A change of a table setting. It is made after the command, or its transaction, has committed.
///
/// @param value empty if the setting is removed
/// @param change makes the change
record TableSetting(long tableId, String name, Optional<YsonNode> value, Runnable change) {
    boolean isOf(long otherId, String otherName) {
        return tableId == otherId && name.equals(otherName);
    }
}

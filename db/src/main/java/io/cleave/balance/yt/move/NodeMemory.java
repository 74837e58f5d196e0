package io.cleave.balance.yt.move;

/// The memory of a node that in-memory tablets may use.
///
/// @param usedBytes what the node says it uses; this can be more than its tablets have
/// @param tabletSlots how many cells the node can have
public record NodeMemory(long limitBytes, long usedBytes, int tabletSlots) {
    /// In-memory tablets are placed without a look at memory.
    public static final NodeMemory UNLIMITED = new NodeMemory(Long.MAX_VALUE, 0, 1);

    boolean isLimited() {
        return limitBytes != Long.MAX_VALUE;
    }
}

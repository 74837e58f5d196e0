package io.cleave.balance.yt.move;

/// Keeps in-memory tablets from being moved to a cell or a node that has no memory for them.
///
/// Each cell of a node has an equal share of the node's memory, less what others use there. A
/// tablet that is larger than such a share is held against the node only.
final class MemoryGuard {
    private final BundleLoad load;
    private final double safeRatio;
    private final long[] freeOfCell;
    private final long[] freeOfNode;
    private final long[] shareOfNode;

    MemoryGuard(BundleLoad load, double safeRatio) {
        this.load = load;
        this.safeRatio = safeRatio;
        long[] usedByCell = new long[load.cellCount()];
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            usedByCell[load.cellOf(tablet)] += load.memoryBytes(tablet);
        }
        long[] usedByTablets = new long[load.nodeCount()];
        int[] cells = new int[load.nodeCount()];
        for (int cell = 0; cell < load.cellCount(); cell++) {
            usedByTablets[load.node(cell)] += usedByCell[cell];
            cells[load.node(cell)]++;
        }
        freeOfNode = new long[load.nodeCount()];
        shareOfNode = new long[load.nodeCount()];
        for (int node = 0; node < load.nodeCount(); node++) {
            NodeMemory memory = load.memory(node);
            long used = Math.max(memory.usedBytes(), usedByTablets[node]);
            freeOfNode[node] = memory.limitBytes() - used;
            int slots = Math.max(1, Math.max(memory.tabletSlots(), cells[node]));
            shareOfNode[node] = (memory.limitBytes() - (used - usedByTablets[node])) / slots;
        }
        freeOfCell = new long[load.cellCount()];
        for (int cell = 0; cell < load.cellCount(); cell++) {
            freeOfCell[cell] = shareOfNode[load.node(cell)] - usedByCell[cell];
        }
    }

    boolean allows(int tablet, int fromCell, int toCell) {
        int node = load.node(toCell);
        if (!load.isInMemory(tablet) || !load.memory(node).isLimited()) {
            return true;
        }
        long bytes = load.memoryBytes(tablet);
        if (bytes <= shareOfNode[node] && freeOfCell[toCell] < bytes) {
            return false;
        }
        if (node == load.node(fromCell)) {
            return true;
        }
        double reserve = load.memory(node).limitBytes() * (1 - safeRatio);
        return freeOfNode[node] >= bytes && freeOfNode[node] - bytes >= reserve;
    }

    void move(int tablet, int fromCell, int toCell) {
        long bytes = load.memoryBytes(tablet);
        freeOfCell[fromCell] += bytes;
        freeOfCell[toCell] -= bytes;
        freeOfNode[load.node(fromCell)] += bytes;
        freeOfNode[load.node(toCell)] -= bytes;
    }
}

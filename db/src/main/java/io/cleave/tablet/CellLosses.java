package io.cleave.tablet;

import java.util.List;

/// What a cell found missing when it was opened, and how the cell continues without it. Used at a
/// start.
public final class CellLosses {
    private final CellJournal journal;

    CellLosses(CellJournal journal) {
        this.journal = journal;
    }

    /// The newest timestamp in the log. If commits after it are known elsewhere, the log has lost
    /// them.
    public long newestTimestamp() {
        return journal.state().maxTimestamp();
    }

    /// Table files that the cell was opened without.
    public List<LostFile> files() {
        return journal.lostFiles();
    }

    /// When this returns, the log no longer names the lost files.
    public void acceptFiles() {
        if (!files().isEmpty()) {
            var _ = journal.checkpoint();
        }
    }

    /// Another cell knows of a transaction at this timestamp, and this cell has lost its part of
    /// it. The cell continues as if it had reached the timestamp, so that the next start does not
    /// report the same loss again.
    public void acceptLoss(long timestamp) {
        journal.reached(timestamp);
        var _ = journal.checkpoint();
    }
}

package io.cleave.exec.spill;

/// Checks from time to time whether the run should go on. Work that takes long without reading the
/// store calls `pass` for every row. Threads: one.
public final class Checkpoint {
    /// One row takes a few microseconds at most.
    private static final int ROWS_BETWEEN = 512;

    private final Runnable check;
    private int passed;

    /// `check` throws when the run should end.
    public Checkpoint(Runnable check) {
        this.check = check;
    }

    public void pass() {
        pass(1);
    }

    /// For work that takes as long as `rows` rows.
    public void pass(int rows) {
        passed += rows;
        if (passed >= ROWS_BETWEEN) {
            passed = 0;
            check.run();
        }
    }

    /// Checks now.
    public void check() {
        check.run();
    }

    /// A checkpoint with the same check for another thread.
    public Checkpoint fork() {
        return new Checkpoint(check);
    }
}

package io.cleave.exec;

/// Looks now and then whether the run should still go on: what works long without touching the
/// store passes here with every row. Threads: one.
final class Checkpoint {
    /// A row takes some microseconds at the most.
    private static final int ROWS_BETWEEN = 512;

    private final Runnable check;
    private int passed;

    /// `check` throws when the run should end.
    Checkpoint(Runnable check) {
        this.check = check;
    }

    void pass() {
        pass(1);
    }

    /// By work that takes as long as so many rows.
    void pass(int rows) {
        passed += rows;
        if (passed >= ROWS_BETWEEN) {
            passed = 0;
            check.run();
        }
    }

    /// Looks now.
    void check() {
        check.run();
    }

    /// The same for another thread.
    Checkpoint fork() {
        return new Checkpoint(check);
    }
}

package io.cleave.exec;

import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.exec.spill.SpillFile;

import org.jspecify.annotations.Nullable;

/// A [JoinTable] whose rows stay on disk, for many rows that all have the same key. The file is
/// read again for every left row with this key, and each row read makes one row of the result.
final class FileJoinTable implements JoinTable {
    private final Running run;
    private final SpillFile file;
    private final RowKey key;
    private final KeyRows all = new All();

    private final class All extends KeyRows {
        @Override
        Rows rows() {
            return file.read();
        }
    }

    FileJoinTable(Running run, SpillFile file, RowKey key) {
        this.run = run;
        this.file = file;
        this.key = key;
    }

    @Override
    public @Nullable KeyRows find(RowKey asked) {
        return asked.equals(key) ? all : null;
    }

    @Override
    public Rows rows(boolean matched) {
        return all.matched == matched ? file.read() : () -> null;
    }

    @Override
    public void close() {
        run.spill().remove(file);
    }
}

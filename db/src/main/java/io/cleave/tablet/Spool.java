package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/// Sorts rows by key. Rows that do not fit into memory go to files that no record names, so the
/// next start after a crash deletes them.
///
/// Threads: one at a time.
public final class Spool implements AutoCloseable {
    private static final long MEMORY_BYTES = 32L << 20;

    /// The timestamp of all rows.
    private static final long TIME = 1;

    /// A row here has one field: the encoded change.
    private static final int[] COLUMN = {1};

    private final TableFiles files;
    private final LsmTree tree;
    private long bytes;

    public Spool(TableFiles files) {
        this.files = files;
        tree = new LsmTree(files, LsmOptions.DEFAULT);
    }

    /// `change` is an encoded [RowChange]. Keys may come in any order, each of them once.
    public void add(Bytes key, Bytes change) {
        byte[] cell = new byte[change.length()];
        System.arraycopy(change.array(), 0, cell, 0, cell.length);
        tree.write(
                key,
                TIME,
                RowChange.encode(RowChange.Kind.REPLACE, COLUMN, new byte[] @Nullable [] {cell}));
        bytes += key.length() + cell.length;
        if (tree.activeBytes() > MEMORY_BYTES) {
            long generation = tree.freeze();
            tree.flushed(generation, tree.maintenance().writeTables(generation, Long.MAX_VALUE));
        }
    }

    /// The size of all added rows.
    public long bytes() {
        return bytes;
    }

    /// A key with about this fraction of the bytes before it, if it can be determined.
    public Optional<Bytes> keyAt(double fraction) {
        return tree.estimator().keyAt(fraction);
    }

    /// The rows with keys in `[from, to)`, in key order; without `to`, up to the last row.
    public Sorted rows(Bytes from, @Nullable Bytes to) {
        return new Sorted(
                tree.scan(
                        from,
                        to,
                        Projection.ALL,
                        Long.MAX_VALUE,
                        Direction.FORWARD,
                        ReadWatch.NONE));
    }

    public static final class Sorted {
        private final RowCursor rows;

        private Sorted(RowCursor rows) {
            this.rows = rows;
        }

        public boolean next() {
            return rows.next();
        }

        public Bytes key() {
            return rows.row().key();
        }

        public Bytes change() {
            Row row = rows.row();
            int cell = row.fieldIndex(COLUMN[0]);
            return Bytes.copyOf(row.data(cell), row.from(cell), row.to(cell));
        }
    }

    @Override
    public void close() {
        List<Slice> written = tree.slices();
        written.forEach(slice -> files.delete(slice.blobId()));
    }
}

package io.cleave.bench.storage;

import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.GetOp;
import org.lmdbjava.Meta;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Txn;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/// LMDB through lmdbjava. It is the yardstick for reads. So it is loaded in key order, which makes
/// the fullest pages, and is not measured for random-order loads and commits.
final class LmdbEngine implements Engine {
    private static final long MAP_BYTES = 16L << 30;
    private static final int LOAD_ROWS_A_COMMIT = 100_000;

    @Override
    public String name() {
        return "LMDB";
    }

    @Override
    public String description() {
        return "LMDB %s through lmdbjava %s"
                .formatted(
                        versionOf(Meta.version()),
                        Env.class.getPackage().getImplementationVersion());
    }

    private static String versionOf(Meta.Version version) {
        return version.major + "." + version.minor + "." + version.patch;
    }

    @Override
    public boolean can(Work work) {
        return switch (work) {
            case HIT, MISS, RANGE, SCAN, BULK, DISK -> true;
            case LOAD,
                    AMPLIFICATION,
                    COMMITS_1,
                    COMMITS_1_VIRTUAL,
                    COMMITS_64,
                    COLD_BYTES,
                    COLD_REQUESTS,
                    NARROW,
                    READ_BESIDE,
                    COMMIT_BESIDE,
                    SYNC_BESIDE ->
                    false;
        };
    }

    @Override
    public void load(Path dir, int[] order) throws IOException {
        bulkLoad(dir, order.length);
    }

    @Override
    public void bulkLoad(Path dir, int rowCount) throws IOException {
        try (Env<ByteBuffer> env = openEnv(dir, EnvFlags.MDB_NOSYNC)) {
            Dbi<ByteBuffer> rows = openRows(env);
            for (int from = 0; from < rowCount; from += LOAD_ROWS_A_COMMIT) {
                try (Txn<ByteBuffer> txn = env.txnWrite()) {
                    int to = Math.min(rowCount, from + LOAD_ROWS_A_COMMIT);
                    append(rows, txn, from, to);
                    txn.commit();
                }
            }
            env.sync(true);
        }
    }

    private static void append(Dbi<ByteBuffer> rows, Txn<ByteBuffer> txn, int from, int to) {
        ByteBuffer key = ByteBuffer.allocateDirect(Rows.KEY_BYTES);
        ByteBuffer value = ByteBuffer.allocateDirect(Rows.VALUE_BYTES);
        try (Cursor<ByteBuffer> cursor = rows.openCursor(txn)) {
            for (int row = from; row < to; row++) {
                key.clear().put(Rows.key(row)).flip();
                value.clear().put(Rows.value(row)).flip();
                cursor.put(key, value, PutFlags.MDB_APPEND);
            }
        }
    }

    private static Env<ByteBuffer> openEnv(Path dir, EnvFlags... flags) throws IOException {
        Files.createDirectories(dir);
        return Env.create().setMapSize(MAP_BYTES).open(dir.toFile(), flags);
    }

    /// The environment's unnamed table.
    private static Dbi<ByteBuffer> openRows(Env<ByteBuffer> env) {
        return env.openDbi((byte[]) null, DbiFlags.MDB_CREATE);
    }

    @Override
    public Store open(Path dir) throws IOException {
        return new LmdbStore(openEnv(dir));
    }

    @Override
    public Committer openCommitter(Path dir) {
        throw new UnsupportedOperationException("LMDB is here for its reads");
    }

    /// All reads of a store share one read transaction.
    private static final class LmdbStore implements Store {
        private final Env<ByteBuffer> env;
        private final Dbi<ByteBuffer> dbi;
        private final Txn<ByteBuffer> txn;
        private final ByteBuffer key = ByteBuffer.allocateDirect(Rows.KEY_BYTES);

        LmdbStore(Env<ByteBuffer> env) {
            this.env = env;
            dbi = openRows(env);
            txn = env.txnRead();
        }

        @Override
        public void compact() {}

        @Override
        public long pointReads(int[] rows) {
            long sum = 0;
            for (int row : rows) {
                ByteBuffer found = dbi.get(txn, keyBuffer(Rows.key(row)));
                if (found == null) {
                    throw new IllegalStateException("row " + row + " is not there");
                }
                sum += sumOf(found);
            }
            return sum;
        }

        @Override
        public long misses(int[] rows) {
            long hits = 0;
            for (int row : rows) {
                hits += dbi.get(txn, keyBuffer(Rows.absentKey(row))) == null ? 0 : 1;
            }
            return hits;
        }

        @Override
        public long rangeReads(int[] fromRows, int rowsEach) {
            long sum = 0;
            for (int from : fromRows) {
                try (Cursor<ByteBuffer> cursor = dbi.openCursor(txn)) {
                    boolean any = cursor.get(keyBuffer(Rows.key(from)), GetOp.MDB_SET_RANGE);
                    int left = rowsEach;
                    while (any && left > 0) {
                        sum += sumOf(cursor.key()) + sumOf(cursor.val());
                        left--;
                        any = left > 0 && cursor.next();
                    }
                }
            }
            return sum;
        }

        @Override
        public long fullScan() {
            long sum = 0;
            try (Cursor<ByteBuffer> cursor = dbi.openCursor(txn)) {
                boolean any = cursor.first();
                while (any) {
                    sum += sumOf(cursor.key()) + sumOf(cursor.val());
                    any = cursor.next();
                }
            }
            return sum;
        }

        private static long sumOf(ByteBuffer bytes) {
            return Rows.sum(bytes.order(ByteOrder.LITTLE_ENDIAN), 0, bytes.limit());
        }

        private ByteBuffer keyBuffer(byte[] wanted) {
            key.clear().put(wanted).flip();
            return key;
        }

        @Override
        public void close() {
            txn.close();
            env.close();
        }
    }
}

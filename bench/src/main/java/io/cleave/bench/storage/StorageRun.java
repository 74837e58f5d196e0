package io.cleave.bench.storage;

import io.cleave.bench.Folders;
import io.cleave.bench.storage.Results.Measured;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Runs all works, one after the other. Within a work, the engines take turns, so that other
/// activity of the machine affects them equally.
final class StorageRun {
    /// Rows in each commit of the load, in all engines.
    static final int BATCH_ROWS = 100;

    private static final Set<Work> ON_LOADED =
            Set.of(Work.HIT, Work.MISS, Work.RANGE, Work.SCAN, Work.DISK);

    /// One in this many rows is loaded before each measured load, as a warm-up for the compiler.
    private static final int WARM_UP_SHARE = 5;

    private static final int BULK_ROUNDS = 3;

    private final List<Engine> engines;
    private final Collection<Work> works;
    private final int rowCount;
    private final long coldBytes;
    private final Path dir;
    private final PrintStream out;
    private final Results results = new Results();

    /// `coldBytes` is the size of the table for reads that find nothing in memory.
    StorageRun(
            List<Engine> engines,
            Collection<Work> works,
            int rowCount,
            long coldBytes,
            Path dir,
            PrintStream out) {
        this.engines = engines;
        this.works = works;
        this.rowCount = rowCount;
        this.coldBytes = coldBytes;
        this.dir = dir;
        this.out = out;
    }

    Results run() throws Exception {
        boolean reads = works.stream().anyMatch(ON_LOADED::contains);
        if (reads || works.contains(Work.LOAD)) {
            load();
        }
        if (reads) {
            onLoaded();
        }
        for (Engine engine : engines) {
            Folders.delete(loadedDir(engine));
        }
        if (works.contains(Work.BULK)) {
            bulkLoad();
        }
        if (works.contains(Work.COMMITS_1)) {
            new CommitRun(engines, dir, out).run(results);
        }
        if (works.contains(Work.COLD_BYTES)) {
            coldReads();
        }
        if (works.contains(Work.NARROW)) {
            narrow();
        }
        if (works.contains(Work.READ_BESIDE)) {
            foreground();
        }
        return results;
    }

    private Path loadedDir(Engine engine) {
        return dir.resolve(engine.name());
    }

    private Path freshDir(Engine engine) throws IOException {
        Path fresh = dir.resolve(engine.name() + "-fresh");
        Folders.delete(fresh);
        return fresh;
    }

    private void load() throws Exception {
        int[] warmUp = Rows.shuffled(rowCount / WARM_UP_SHARE);
        int[] order = Rows.shuffled(rowCount);
        for (Engine engine : engines) {
            engine.load(freshDir(engine), warmUp);
            Folders.delete(freshDir(engine));
            System.gc();
            Spent spent = Spent.on(() -> load(engine, order)).spent();
            if (engine.can(Work.LOAD)) {
                put(Work.LOAD, engine, perRow(spent));
                if (spent.writtenBytes() >= 0) {
                    put(Work.AMPLIFICATION, engine, perRawByte(spent.writtenBytes()));
                }
            }
        }
    }

    private Void load(Engine engine, int[] order) throws Exception {
        engine.load(loadedDir(engine), order);
        return null;
    }

    private Measured perRow(Spent spent) {
        return new Measured(spent.cpuMicros(rowCount), spent.wallMicros(rowCount), "");
    }

    private Measured perRawByte(long bytes) {
        return new Measured((double) bytes / rowCount / Rows.ROW_BYTES);
    }

    private void onLoaded() throws Exception {
        Map<Engine, Engine.Store> stores = new LinkedHashMap<>();
        try {
            for (Engine engine : engines) {
                Engine.Store store = engine.open(loadedDir(engine));
                stores.put(engine, store);
                store.compact();
                if (engine.can(Work.DISK)) {
                    put(Work.DISK, engine, perRawByte(Folders.bytes(loadedDir(engine))));
                }
            }
            new ReadRun(stores, rowCount).run(works, this::put);
        } finally {
            for (Engine.Store store : stores.values()) {
                store.close();
            }
        }
    }

    private void bulkLoad() throws Exception {
        Map<Engine, List<Spent>> spent = new LinkedHashMap<>();
        for (Engine engine : engines) {
            if (engine.can(Work.BULK)) {
                engine.bulkLoad(freshDir(engine), rowCount / WARM_UP_SHARE);
                spent.put(engine, new ArrayList<>());
            }
        }
        for (int round = 0; round < BULK_ROUNDS; round++) {
            for (Map.Entry<Engine, List<Spent>> entry : spent.entrySet()) {
                Path fresh = freshDir(entry.getKey());
                entry.getValue().add(Spent.on(() -> bulkLoad(entry.getKey(), fresh)).spent());
                Folders.delete(fresh);
            }
        }
        spent.forEach((engine, rounds) -> put(Work.BULK, engine, perRow(Spent.median(rounds))));
    }

    private Void bulkLoad(Engine engine, Path fresh) throws Exception {
        engine.bulkLoad(fresh, rowCount);
        return null;
    }

    private void narrow() throws Exception {
        for (Engine engine : engines) {
            if (engine.can(Work.NARROW)) {
                Path fresh = freshDir(engine);
                put(Work.NARROW, engine, new Measured(engine.narrowShare(fresh, rowCount / 10)));
                Folders.delete(fresh);
            }
        }
    }

    private void coldReads() throws Exception {
        for (Engine engine : engines) {
            if (engine.can(Work.COLD_BYTES)) {
                Path fresh = freshDir(engine);
                engine.coldReads(fresh, coldBytes, (work, measured) -> put(work, engine, measured));
                Folders.delete(fresh);
            }
        }
    }

    private void foreground() throws Exception {
        for (Engine engine : engines) {
            if (engine.can(Work.READ_BESIDE)) {
                Path fresh = freshDir(engine);
                engine.foreground(fresh, rowCount, (work, measured) -> put(work, engine, measured));
                Folders.delete(fresh);
            }
        }
    }

    private void put(Work work, Engine engine, Measured measured) {
        results.put(work, engine.name(), measured);
        out.printf(
                "%-8s %-50s %s %s%n",
                engine.name(), work.title, BarsTable.figure(measured), work.unit.text);
    }
}

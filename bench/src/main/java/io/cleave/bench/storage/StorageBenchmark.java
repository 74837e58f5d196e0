package io.cleave.bench.storage;

import io.cleave.bench.Folders;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// Cleave's storage engine compared with RocksDB, the best of its kind at writing, and LMDB, the
/// best at reading: all in this process, on the same rows, in the same run. A run of all works
/// writes its table to `docs/benchmarks/storage.md`.
@Command(
        name = "storage",
        description = "The storage engine beside RocksDB and LMDB, on the same rows.",
        mixinStandardHelpOptions = true)
public final class StorageBenchmark implements Callable<Integer> {
    /// Large enough for all rows uncompressed, so that cached reads are cached in every engine.
    private static final long CACHE_BYTES = 1L << 30;

    private static final int DEFAULT_ROWS = 5_000_000;
    private static final int LEAST_ROWS = 10_000;
    private static final int DEFAULT_COLD_MB = 4096;
    private static final int LEAST_COLD_MB = 128;

    private static final Map<String, Supplier<Engine>> ENGINES = new LinkedHashMap<>();

    static {
        ENGINES.put("cleave", () -> new CleaveEngine(CACHE_BYTES));
        ENGINES.put("rocksdb", () -> new RocksEngine(CACHE_BYTES));
        ENGINES.put("lmdb", LmdbEngine::new);
    }

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_ROWS,
            description = "How many rows are loaded. Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(
            names = "--cold-mb",
            paramLabel = "MB",
            defaultValue = "" + DEFAULT_COLD_MB,
            description =
                    "The size of the table for the part cold, in MiB. Default: ${DEFAULT-VALUE}.")
    private int coldMb;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            split = ",",
            description = "cleave, rocksdb or lmdb; several with commas. Default: all.")
    private List<String> engineNames = List.of();

    @Option(
            names = "--only",
            paramLabel = "WORK",
            split = ",",
            description =
                    "hit, miss, range, scan, load, bulk, commit, disk, cold, narrow or"
                            + " foreground; several with commas. Default: all.")
    private List<String> only = List.of();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "Where the stores go while it runs. Default: the system's temporary folder.")
    private @Nullable Path dir;

    @Override
    public Integer call() throws Exception {
        List<Engine> engines = engines();
        List<Work> works = works();
        if (rows < LEAST_ROWS) {
            throw wrong("--rows must be at least " + LEAST_ROWS);
        }
        if (coldMb < LEAST_COLD_MB) {
            throw wrong("--cold-mb must be at least " + LEAST_COLD_MB);
        }
        engines.forEach(engine -> System.out.println(engine.description()));
        Path scratch = scratch();
        try {
            Results results =
                    new StorageRun(engines, works, rows, (long) coldMb << 20, scratch, System.out)
                            .run();
            return report(new BarsTable(results, works), engines, works);
        } finally {
            Folders.delete(scratch);
        }
    }

    private int report(BarsTable table, List<Engine> engines, List<Work> works) throws IOException {
        System.out.println();
        System.out.print(table.text());
        boolean whole =
                engines.size() == ENGINES.size()
                        && works.size() == Work.values().length
                        && rows == DEFAULT_ROWS
                        && coldMb == DEFAULT_COLD_MB;
        String launcher = System.getProperty("cleave.launcher");
        if (whole && launcher != null) {
            var page = new StoragePage(table, engines, rows);
            Path file = page.write(launcher);
            System.out.println("written to " + file);
        }
        System.out.println(table.sum());
        return table.allMet() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private List<Engine> engines() {
        List<Engine> chosen = new ArrayList<>();
        for (String name : engineNames) {
            if (!ENGINES.containsKey(name.toLowerCase(Locale.ROOT))) {
                throw wrong("there is no engine " + name + ": " + ENGINES.keySet());
            }
        }
        ENGINES.forEach(
                (name, engine) -> {
                    if (engineNames.isEmpty() || engineNames.contains(name)) {
                        chosen.add(engine.get());
                    }
                });
        return chosen;
    }

    private List<Work> works() {
        for (String id : only) {
            if (!Work.ids().contains(id)) {
                throw wrong("there is no work " + id + ": " + Work.ids());
            }
        }
        return Arrays.stream(Work.values())
                .filter(work -> only.isEmpty() || only.contains(work.id))
                .toList();
    }

    private ParameterException wrong(String what) {
        CommandSpec known = spec;
        if (known == null) {
            throw new IllegalStateException(what);
        }
        return new ParameterException(known.commandLine(), what);
    }

    private Path scratch() throws IOException {
        if (dir == null) {
            return Files.createTempDirectory("cleave-bench-");
        }
        Files.createDirectories(dir);
        return Files.createTempDirectory(dir, "cleave-bench-");
    }
}

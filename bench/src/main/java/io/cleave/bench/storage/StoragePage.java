package io.cleave.bench.storage;

import io.cleave.bench.DocsPage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Writes `docs/benchmarks/storage.md`: the table of a complete run, and the conditions under which
/// it was measured.
final class StoragePage {
    private final BarsTable table;
    private final List<Engine> engines;
    private final int rows;

    StoragePage(BarsTable table, List<Engine> engines, int rows) {
        this.table = table;
        this.engines = engines;
        this.rows = rows;
    }

    Path write(String launcher) throws IOException {
        return DocsPage.write(launcher, "storage.md", text());
    }

    private String text() throws IOException {
        String tested =
                engines.stream()
                        .map(engine -> "- " + engine.description())
                        .collect(Collectors.joining("\n"));
        return """
        # The storage engine beside RocksDB and LMDB

        Written by `./cleave bench storage`, which runs it again (six minutes on a quiet machine); what stands
        under *Notes* is kept. `--rows`, `--cold-mb`, `--engine`, `--only` and `--dir` run a part of it and write nothing.

        %s
        %s

        ## How it was measured
        %s

        %s rows of %d + %d bytes; LZ4 can take about a third off. All engines run in one process, and in each
        work by turns, round by round; a figure is the middle of five rounds (three for the bulk load, one for
        the random-order load) after some that are not counted. CPU is that of the whole process: background
        threads, the collector and the compiler too. The sum of all bytes read must be the same in all engines.
        Reads and bytes on disk are those of fully compacted stores. Bytes written are what the process gave to the system's
        write calls, logs included. Commits of the load are durable in Cleave and are not in
        RocksDB, 100 rows each in both. LMDB is loaded in key order. The one writer of durable commits is a platform
        thread in both engines, the 64 are virtual threads in Cleave. Beside constant compaction: one thread
        reads (or commits) single rows of a table of up to 500,000, while ten times a second 10,000 rows are loaded into
        another table of the same cell, which is flushed and compacted by that; before and after by turns, the middle of three rounds. On the bare disk: 200 bytes are appended to a file
        and synced, while files of 4 MiB are written, synced and deleted at the same rate in bytes; no engine is in it.
        Cold gets: a table of 4 GiB with rows of 16 + 1,000 bytes that nothing compresses, its files taken out of the page cache before each round;
        1,000 gets a round, the least of three rounds. Bytes are what the kernel read for the process (`/proc/self/io`), requests are those of the
        whole disk (`/proc/diskstats`).

        Machine: %s.
        """
                .formatted(
                        table.text(),
                        table.sum(),
                        tested,
                        String.format(Locale.ROOT, "%,d", rows),
                        Rows.KEY_BYTES,
                        Rows.VALUE_BYTES,
                        DocsPage.machine());
    }
}

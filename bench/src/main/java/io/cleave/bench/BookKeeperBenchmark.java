package io.cleave.bench;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;

/// Log and blobs on BookKeeper, compared with the plain client and with a server on a local folder.
///
/// A run of all parts writes its table to `docs/benchmarks/bookkeeper.md`.
@Command(
        name = "bookkeeper",
        description = "Log, blobs and a server on a development cluster of three bookies.",
        mixinStandardHelpOptions = true)
final class BookKeeperBenchmark implements Callable<Integer> {
    private static final int DEFAULT_SECONDS = 5;

    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "One of: append, upsert, read, takeover, tail, faults. Default: all.")
    private @Nullable Part only;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_SECONDS,
            description = "How long each rate is measured. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    /// The parts that can be measured separately.
    enum Part {
        APPEND,
        UPSERT,
        READ,
        TAKEOVER,
        TAIL,
        FAULTS
    }

    @Override
    public Integer call() throws Exception {
        var bars = new BookKeeperBars(System.out);
        var time = Duration.ofSeconds(seconds);
        try (var cluster = ClusterProcesses.start()) {
            bars.atMost(15.0, "cluster up", "s", cluster.startup().toMillis() / 1e3);
            try (var clients = new LedgerClients(cluster.settings());
                    var others = new LedgerClients(cluster.settings())) {
                if (wanted(Part.APPEND)) {
                    new LedgerAppends(clients, time).run(bars);
                }
                if (wanted(Part.UPSERT)) {
                    new ClusterUpserts(cluster, time).run(bars);
                }
                if (wanted(Part.READ)) {
                    new BlockReads(clients, time).run(bars);
                }
                if (wanted(Part.TAKEOVER)) {
                    new LogTakeover(clients, cluster.settings()).run(bars);
                    new NodeTakeover(cluster.settings()).run(bars);
                }
                if (wanted(Part.TAIL)) {
                    new TailLag(clients, others, time).run(bars);
                }
                // This part is last: restarted bookies have less in memory.
                if (wanted(Part.FAULTS)) {
                    new BookieKills(cluster, clients).run(bars);
                }
            }
        }
        return report(bars);
    }

    private boolean wanted(Part part) {
        return only == null || only == part;
    }

    private int report(BookKeeperBars bars) throws IOException {
        System.out.println();
        System.out.print(bars.text());
        String launcher = System.getProperty("cleave.launcher");
        if (only == null && seconds >= DEFAULT_SECONDS && launcher != null) {
            var file = DocsPage.write(launcher, "bookkeeper.md", page(bars));
            System.out.println("written to " + file);
        }
        System.out.println(bars.sum());
        return bars.allMet() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private String page(BookKeeperBars bars) throws IOException {
        return """
        # Log, blobs and a server on BookKeeper

        Written by `./cleave bench bookkeeper`, which runs it again (five minutes on a quiet machine); what stands under *Notes* is kept.
        `--only` and `--seconds` run a part of it and write nothing.

        %s
        %s

        ## How it was measured
        Everything shares one machine: a ZooKeeper, three bookies that sync their journals, the node, and the clients (`./cleave cluster up --nodes 3`).
        Ledgers have an ensemble of 3, 3 copies of each entry, and 2 of them when it is acknowledged. Rates are of %d seconds, the middle one of three; those that are compared take turns.

        - Appends: through `BookKeeperLog`, and with `appendAsync` of BookKeeper's client to one ledger; both with the same client settings.
        - Upserts: 64 sessions of `ydb-sdk-query`, one row of 100 bytes each, on the cluster and on `./cleave start` with a folder; that one keeps one copy.
        - Block reads: one at a time at random places of a blob of 4,000 blocks, and of a ledger with each block as an entry. Blocks have 16 KiB, and then the sizes that those of a table
          have with `COMPRESSION = "lz4"`, with rows as in `bench storage`. The scan reads block after block.
        - Taking over a log: another process has written 64 MB and is killed while it writes on. Timed from opening the writer, over reading all records, until the first record is
          acknowledged. The process that takes over is running and connected.
        - Taking over a server: 64 MB were upserted through it and none of it is in table files. Another server was started on the same storage and waits for the lease. Timed from the
          SIGKILL until a new client of the other server has an upsert acknowledged; after that all rows are counted.
        - The follower has connections of its own. Its lag is from when the writer hears that a record is durable until the follower has read it, for all records but those of the first thirty seconds, in which the compilers of all processes share the cores; 16 records are
          in flight all the time. Then single records, each followed by 30 ms without any.
        - Killed bookies: each of the three once, with 32 records of 1 KiB in flight; the longest time between two acknowledgements within 5 s after the kill, of the worst of the three. In the
          end every acknowledged record is read.

        Machine: %s.
        """
                .formatted(bars.text(), bars.sum(), seconds, DocsPage.machine());
    }
}

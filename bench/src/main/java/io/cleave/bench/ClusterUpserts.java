package io.cleave.bench;

import java.time.Duration;
import java.util.Arrays;

/// Upserts of one row through the SDK, each durable when it is answered: on the development
/// cluster, and on a server with a local folder.
final class ClusterUpserts {
    private static final int CLIENTS = 64;
    private static final int TURNS = 3;

    private final ClusterProcesses cluster;
    private final Duration time;

    ClusterUpserts(ClusterProcesses cluster, Duration time) {
        this.cluster = cluster;
        this.time = time;
    }

    void run(BookKeeperBars bars) throws Exception {
        try (var server = ServerProcess.start();
                var embedded = new SeriesWorkload(server.endpoint());
                var clustered = new SeriesWorkload(cluster.endpoint())) {
            embedded.load();
            clustered.load();
            var onFolder = new Load(server, CLIENTS);
            var onCluster = new Load(cluster::cpuTime, CLIENTS);
            var _ = onFolder.run(embedded::writer, time.multipliedBy(2));
            var _ = onCluster.run(clustered::writer, time.multipliedBy(2));
            double[] folderRates = new double[TURNS];
            double[] clusterRates = new double[TURNS];
            double cpuMicros = 0;
            for (int turn = 0; turn < TURNS; turn++) {
                folderRates[turn] = onFolder.run(embedded::writer, time).perSecond();
                Load.Measured measured = onCluster.run(clustered::writer, time);
                clusterRates[turn] = measured.perSecond();
                cpuMicros = measured.serverCpuMicros();
            }
            Arrays.sort(folderRates);
            Arrays.sort(clusterRates);
            bars.atLeast(
                    0.5,
                    "upserts through the SDK, 64 clients",
                    "per second",
                    clusterRates[TURNS / 2],
                    new BookKeeperBars.Yardstick("one process", folderRates[TURNS / 2]));
            bars.tell("  CPU of node, bookies and ZooKeeper, each", "us", cpuMicros, "");
        }
    }
}

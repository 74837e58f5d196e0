package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;

import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.net.BookieId;
import org.junit.jupiter.api.Test;

import java.util.List;

class ZonesTest {
    private static final int LEDGERS = 20;

    /// Three of four are in one zone. By chance every second ledger would have both copies there.
    @Test
    void copiesGoToDifferentZones() throws Exception {
        try (var ledgers = TestLedgers.startOnHosts(4)) {
            var settings =
                    BookKeeperSettings.parse(
                            ledgers.newSettings().name()
                                    + "?ensemble=2&write-quorum=2&ack-quorum=2");
            try (var zooKeeper = ZooKeeperSessions.open(settings)) {
                var coordination = new ZooKeeperCoordination(new SystemEnv(), zooKeeper, settings);
                coordination.set("zone." + TestLedgers.host(1), "a");
                coordination.set("zone." + TestLedgers.host(2), "a");
                coordination.set("zone." + TestLedgers.host(3), "b");
                var zones = new ZoneMapping(coordination, TestLedgers.host(0), "a");
                try (BookKeeper client =
                        BookKeeper.newBuilder(settings.clientConfiguration())
                                .dnsResolver(zones)
                                .build()) {
                    for (int count = 0; count < LEDGERS; count++) {
                        try (WriteHandle ledger = new Ledgers(client, settings).create("log")) {
                            assertThat(hosts(ledger)).hasSize(2).contains(TestLedgers.host(3));
                        }
                    }
                }
            }
        }
    }

    private static List<String> hosts(WriteHandle ledger) {
        List<BookieId> ensemble = ledger.getLedgerMetadata().getAllEnsembles().get(0L);
        return ensemble.stream().map(bookie -> bookie.getId().split(":")[0]).toList();
    }
}

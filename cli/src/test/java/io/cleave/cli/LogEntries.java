package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.bookkeeper.BookKeeperSettings;
import io.cleave.bookkeeper.ZooKeeperSessions;

import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.curator.framework.CuratorFramework;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;

/// The entries of the logs of a database, as the bookies have them. An entry begins with its kind,
/// epoch and position: see docs/bookkeeper.md.
final class LogEntries {
    private static final int EPOCH_AT = 1;
    private static final int POSITION_AT = EPOCH_AT + Long.BYTES;

    private final CuratorFramework zooKeeper;
    private final BookKeeper bookKeeper;
    private final TreeSet<Long> epochs = new TreeSet<>();
    private long lastEpoch;
    private long lastPosition;

    private LogEntries(CuratorFramework zooKeeper, BookKeeper bookKeeper) {
        this.zooKeeper = zooKeeper;
        this.bookKeeper = bookKeeper;
    }

    /// To be called when nobody writes any more: the last ledgers are sealed.
    ///
    /// In each log no entry stands behind one of a later epoch. Returns the epochs of the log with
    /// the most of them.
    @SuppressWarnings("try") // an interrupt ends the test
    static TreeSet<Long> checkEpochs(BookKeeperSettings settings) throws Exception {
        try (CuratorFramework zooKeeper = ZooKeeperSessions.open(settings);
                var bookKeeper = BookKeeper.newBuilder(settings.clientConfiguration()).build()) {
            var most = new TreeSet<Long>();
            String logs = settings.root() + "/logs";
            for (String cell : zooKeeper.getChildren().forPath(logs)) {
                var entries = new LogEntries(zooKeeper, bookKeeper);
                entries.check(logs + "/" + cell);
                if (entries.epochs.size() > most.size()) {
                    most = entries.epochs;
                }
            }
            return most;
        }
    }

    private void check(String log) throws Exception {
        String list = new String(zooKeeper.getData().forPath(log), StandardCharsets.UTF_8);
        for (String line : list.lines().filter(each -> each.startsWith("ledger ")).toList()) {
            String[] words = line.split(" ");
            long first = Long.parseLong(words[2]);
            assertThat(first).as("%s of %s", line, log).isGreaterThanOrEqualTo(lastPosition);
            lastPosition = first;
            checkLedger(Long.parseLong(words[1]), Long.parseLong(words[3]));
        }
    }

    @SuppressWarnings("try") // an interrupt ends the test
    private void checkLedger(long ledgerId, long epoch) throws Exception {
        assertThat(epoch).isGreaterThanOrEqualTo(lastEpoch);
        try (var ledger =
                bookKeeper
                        .newOpenLedgerOp()
                        .withLedgerId(ledgerId)
                        .withDigestType(DigestType.CRC32C)
                        .withPassword(new byte[0])
                        .withRecovery(true)
                        .execute()
                        .get()) {
            if (ledger.getLastAddConfirmed() < 0) {
                return;
            }
            try (var entries = ledger.read(0, ledger.getLastAddConfirmed())) {
                for (LedgerEntry entry : entries) {
                    checkEntry(entry, epoch);
                }
            }
        }
    }

    private void checkEntry(LedgerEntry entry, long epoch) {
        var bytes = entry.getEntryNioBuffer().order(ByteOrder.LITTLE_ENDIAN);
        assertThat(bytes.getLong(EPOCH_AT)).as("%s", entry).isEqualTo(epoch);
        assertThat(bytes.getLong(POSITION_AT)).as("%s", entry).isGreaterThanOrEqualTo(lastPosition);
        lastPosition = bytes.getLong(POSITION_AT);
        lastEpoch = epoch;
        epochs.add(epoch);
    }
}

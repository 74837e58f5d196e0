package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.log.LogException;

import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.ListLedgersResult;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// The list of a log's ledgers, when others change it too or a step fails halfway.
class LedgerChainTest {
    private static TestLedgers ledgers;

    private TestClients clients;

    @BeforeAll
    static void start() {
        ledgers = TestLedgers.start();
    }

    @AfterAll
    static void stop() {
        ledgers.close();
    }

    @BeforeEach
    void connect() throws Exception {
        clients = TestClients.open(ledgers.newSettings());
    }

    @AfterEach
    void disconnect() throws Exception {
        clients.close();
    }

    private LedgerChain chain() {
        return chain(clients.bookKeeper(), clients.zooKeeper());
    }

    /// BookKeeper tells a handle that its ledger was sealed, and not which entry is the last.
    @Test
    void aLedgerThatIsSealedWhileItIsOpenIsReadToItsEnd() throws Exception {
        LedgerChain chain = chain();
        LedgerChain.Head head = chain.claim();
        append(head, 0);
        try (var reader = new LedgerReader(chain, head.ledger().getId())) {
            append(head, 1);
            append(head, 2);
            head.ledger().closeAsync().join();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!reader.isSealed() && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(reader.isSealed()).isTrue();
            reader.extendToSeal();
            int read = 0;
            while (!reader.isAtEnd()) {
                for (var _ : reader.next()) {
                    read++;
                }
                reader.release();
            }
            assertThat(read).isEqualTo(3);
        }
    }

    private static void append(LedgerChain.Head head, int position) {
        var entry = LedgerRecords.encode(head.epoch(), position, List.of(Bytes.utf8("r")));
        head.ledger().appendAsync(entry).join();
    }

    @Test
    void smallEntriesAreReadManyAtATimeHoweverLongTheLedgerIs() throws Exception {
        int entryCount = 1000;
        LedgerChain chain = chain();
        LedgerChain.Head head = chain.claim();
        Bytes record = Bytes.wrap(new byte[8 << 10]);
        var last = CompletableFuture.completedFuture(-1L);
        for (int entry = 0; entry < entryCount; entry++) {
            last =
                    head.ledger()
                            .appendAsync(
                                    LedgerRecords.encode(head.epoch(), entry, List.of(record)));
        }
        last.join();
        int read = 0;
        int requests = 0;
        try (var reader = new LedgerReader(chain, head.ledger().getId())) {
            reader.extendTo(entryCount - 1);
            while (!reader.isAtEnd()) {
                for (var entry : reader.next()) {
                    assertThat(entry.getEntryId()).isEqualTo(read);
                    read++;
                }
                reader.release();
                requests++;
            }
        }
        assertThat(read).isEqualTo(entryCount);
        // Two of 16 until the size of entries is known, and then 128 each.
        assertThat(requests).isLessThanOrEqualTo(2 + entryCount / 128 + 1);
    }

    @Test
    void aLastLedgerThatARivalHasReplacedIsNoCorruption() {
        LedgerChain rival = chain();
        long replaced = rival.claim().ledger().getId();
        var epochs = new ArrayList<Long>();
        // The rival is faster each time that this one is about to open a ledger, but not for ever.
        LedgerChain slow =
                chain(
                        Calls.before(
                                BookKeeper.class,
                                clients.bookKeeper(),
                                "newOpenLedgerOp",
                                () -> {
                                    if (epochs.size() < 2) {
                                        epochs.add(rival.claim().epoch());
                                    }
                                }),
                        clients.zooKeeper());
        assertThat(slow.claim().epoch()).isEqualTo(epochs.getLast() + 1);
        assertThat(epochs).hasSize(2);
        assertThat(slow.list().indexOfLedger(replaced)).isEqualTo(-1);
    }

    @Test
    void aLastLedgerThatIsGoneIsCorruption() {
        long gone = chain().claim().ledger().getId();
        chain().ledgers().delete(gone);
        assertThatThrownBy(() -> chain().claim())
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("ledger " + gone + " is not there");
    }

    @Test
    void aLedgerThatDidNotGetIntoTheListIsDeleted() throws Exception {
        Set<Long> others = allLedgers();
        var failures = new AtomicInteger(2);
        LedgerChain chain =
                chain(
                        clients.bookKeeper(),
                        Calls.before(
                                CuratorFramework.class,
                                clients.zooKeeper(),
                                "setData",
                                () -> {
                                    if (failures.getAndDecrement() > 0) {
                                        throw new IllegalStateException("no connection");
                                    }
                                }));
        long epoch = chain.claim().epoch();
        for (int tries = 0; tries < 2; tries++) {
            assertThatThrownBy(() -> chain.extend(epoch, 1)).isInstanceOf(LogException.class);
        }
        Set<Long> unnamed = allLedgers();
        unnamed.removeAll(others);
        assertThat(unnamed).hasSize(3);

        chain.extend(epoch, 1);

        Set<Long> left = allLedgers();
        left.removeAll(others);
        assertThat(left)
                .containsExactlyInAnyOrderElementsOf(
                        chain.list().ledgers().stream().map(LedgerList.Span::ledgerId).toList())
                .hasSize(2);
    }

    private Set<Long> allLedgers() throws Exception {
        Set<Long> all = new HashSet<>();
        try (ListLedgersResult found =
                clients.bookKeeper().newListLedgersOp().execute().get(10, TimeUnit.SECONDS)) {
            found.toIterable().forEach(all::add);
        }
        return all;
    }

    private LedgerChain chain(BookKeeper client, CuratorFramework zooKeeper) {
        return new LedgerChain(
                new LedgerListNode(zooKeeper, clients.settings().root() + "/logs/1"),
                new Ledgers(client, clients.settings()));
    }
}

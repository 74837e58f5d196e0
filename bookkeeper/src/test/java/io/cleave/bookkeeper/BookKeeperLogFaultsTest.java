package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.SystemEnv;
import io.cleave.log.FencedException;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.LogException;
import io.cleave.log.LogOptions;
import io.cleave.log.LogWriter;
import io.netty.buffer.ByteBuf;

import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// What happens to a log when the world around it changes: other processes, bookies that go and
/// come, a ZooKeeper that is started anew.
class BookKeeperLogFaultsTest {
    private static TestLedgers ledgers;

    private final BookKeeperSettings settings = ledgers.newSettings();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Queue<Throwable> fatal = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() {
        ledgers = TestLedgers.start();
    }

    @AfterAll
    static void stop() {
        ledgers.close();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    /// The log as a process of its own has it.
    private BookKeeperLog process(LogOptions options) throws Exception {
        CuratorFramework zooKeeper = ZooKeeperSessions.open(settings);
        opened.add(zooKeeper);
        BookKeeper client = BookKeeper.newBuilder(settings.clientConfiguration()).build();
        opened.add(client);
        var log =
                new BookKeeperLog(
                        zooKeeper,
                        client,
                        settings,
                        settings.root() + "/logs/1",
                        new SystemEnv(),
                        options,
                        fatal::add);
        opened.add(log);
        return log;
    }

    private BookKeeperLog process() throws Exception {
        return process(LogOptions.DEFAULT);
    }

    @Test
    void aWriterElsewhereFencesThisOneWhichIsTold() throws Exception {
        BookKeeperLog here = process();
        BookKeeperLog there = process();
        LogWriter old = here.openWriter();
        append(old, "a");

        LogWriter fresh = there.openWriter();

        assertThat(fresh.epoch()).isGreaterThan(old.epoch());
        assertThat(append(fresh, "b")).isEqualTo(1);
        assertThatThrownBy(() -> append(old, "late")).hasCauseInstanceOf(FencedException.class);
        assertThatThrownBy(() -> append(old, "later")).hasCauseInstanceOf(FencedException.class);
        assertThat(fatal).hasSize(1).first().isInstanceOf(FencedException.class);
        assertThat(append(fresh, "c")).isEqualTo(2);
        assertThat(readAll(there)).containsExactly("0:a", "1:b", "2:c");
        // It may still read, as a follower does.
        assertThat(readAll(here)).containsExactly("0:a", "1:b", "2:c");
        assertThatThrownBy(() -> here.trim(1)).isInstanceOf(FencedException.class);
    }

    @Test
    void aWriterCanTellThatAnotherProcessHasFencedIt() throws Exception {
        BookKeeperLog here = process(new LogOptions(500, 100_000));
        LogWriter old = here.openWriter();
        for (int count = 0; count < 5; count++) {
            append(old, "x".repeat(300));
            old.checkNotFenced();
        }
        process().openWriter();
        assertThatThrownBy(old::checkNotFenced).isInstanceOf(FencedException.class);
    }

    @Test
    void aReaderElsewhereSeesTheLastRecordOfAQuietWriter() throws Exception {
        BookKeeperLog here = process();
        BookKeeperLog there = process();
        LogWriter writer = here.openWriter();
        try (LogCursor cursor = there.read(0)) {
            for (int round = 0; round < 20; round++) {
                append(writer, "r" + round);
                assertThat(there.awaitDurable(round, Duration.ofSeconds(5))).isTrue();
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.record()).isEqualTo(Bytes.utf8("r" + round));
                assertThat(cursor.next()).isFalse();
            }
        }
        assertThat(there.awaitDurable(20, Duration.ofMillis(50))).isFalse();
    }

    @Test
    void aReaderElsewhereGoesOnWhileABookieIsAway() throws Exception {
        BookKeeperLog here = process();
        BookKeeperLog there = process();
        LogWriter writer = here.openWriter();
        int count = 0;
        try (LogCursor cursor = there.read(0)) {
            for (int bookie = 0; bookie < 3; bookie++) {
                ledgers.stopBookie(bookie);
                for (int round = 0; round < 3; round++) {
                    append(writer, "r" + count);
                    assertThat(there.awaitDurable(count, Duration.ofSeconds(20))).isTrue();
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.record()).isEqualTo(Bytes.utf8("r" + count));
                    count++;
                }
                ledgers.startBookie(bookie);
            }
        }
    }

    @Test
    void aReaderElsewherePassesOverLedgersAndWriters() throws Exception {
        var small = new LogOptions(500, 100_000);
        BookKeeperLog here = process(small);
        BookKeeperLog there = process(small);
        var all = CompletableFuture.supplyAsync(() -> tail(there, 120));
        for (int epoch = 0; epoch < 3; epoch++) {
            LogWriter writer = here.openWriter();
            for (int count = 0; count < 40; count++) {
                append(writer, epoch + "." + count + "x".repeat(100));
            }
        }
        assertThat(here.chain().list().ledgers().size()).isGreaterThan(10);
        List<String> read = all.get(30, TimeUnit.SECONDS);
        assertThat(read).hasSize(120);
        assertThat(read.getFirst()).startsWith("0:0.0x");
        assertThat(read.getLast()).startsWith("119:2.39x");
    }

    private static List<String> tail(Log log, int count) {
        List<String> read = new ArrayList<>();
        try (LogCursor cursor = log.read(0)) {
            while (read.size() < count && log.awaitDurable(read.size(), Duration.ofSeconds(20))) {
                while (cursor.next()) {
                    read.add(cursor.position() + ":" + cursor.record().utf8());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return read;
    }

    @Test
    void aLedgerThatNobodyWhoWritesHasFencedIsFollowedByAnother() throws Exception {
        BookKeeperLog log = process();
        LogWriter writer = log.openWriter();
        append(writer, "a");
        long first = log.chain().list().last().ledgerId();
        // As BookKeeper's own recovery of lost copies does.
        new Ledgers(BookKeeper.newBuilder(settings.clientConfiguration()).build(), settings)
                .recover(first);

        assertThat(append(writer, "b")).isEqualTo(1);

        assertThat(log.chain().list().last().ledgerId()).isNotEqualTo(first);
        assertThat(fatal).isEmpty();
        assertThat(readAll(log)).containsExactly("0:a", "1:b");
        assertThat(readAll(process())).containsExactly("0:a", "1:b");
    }

    @Test
    void aRecordOfManyEntriesIsOneRecord() throws Exception {
        BookKeeperLog log = process();
        LogWriter writer = log.openWriter();
        String large = "0123456789".repeat(350_000);
        append(writer, "before");
        append(writer, large);
        append(writer, "after");
        assertThat(readAll(log)).containsExactly("0:before", "1:" + large, "2:after");
        writer.close();
        assertThat(process().nextPosition()).isEqualTo(3);
        try (LogCursor cursor = process().read(1)) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.record().length()).isEqualTo(3_500_000);
        }
    }

    @Test
    void partsOfARecordThatWasNeverWholeAreNoRecord() throws Exception {
        BookKeeperLog crashed = process();
        LedgerChain.Head head = crashed.chain().claim();
        Bytes large = Bytes.wrap(new byte[3 << 20]);
        head.ledger().append(LedgerRecords.encode(head.epoch(), 0, List.of(Bytes.utf8("a"))));
        head.ledger().append(LedgerRecords.encodePart(head.epoch(), 1, large, 0));
        head.ledger().append(LedgerRecords.encodePart(head.epoch(), 1, large, 1));

        BookKeeperLog log = process();
        assertThat(append(log.openWriter(), "b")).isEqualTo(1);

        assertThat(readAll(log)).containsExactly("0:a", "1:b");
        assertThat(readAll(process())).containsExactly("0:a", "1:b");
    }

    @Test
    void aLedgerThatIsNotKnownToBeSealedIsNoCorruption() throws Exception {
        LedgerChain chain = process().chain();
        LedgerChain.Head first = chain.claim();
        first.ledger().append(entry(first, 0, "a"));
        first.ledger().append(entry(first, 1, "b"));
        // As a server of ZooKeeper shows it that has the list, and not yet the seal.
        LedgerChain.Head second = chain.extend(first.epoch(), 2);
        second.ledger().append(entry(second, 2, "c"));
        second.ledger().append(LedgerRecords.encode(second.epoch(), 3, List.of()));
        BookKeeperLog log = process();
        assertThat(log.awaitDurable(2, Duration.ofSeconds(20))).isTrue();
        List<String> read = new ArrayList<>();
        try (LogCursor cursor = log.read(0)) {
            for (int tries = 0; tries < 2; tries++) {
                assertThatThrownBy(() -> readOn(cursor, read))
                        .isInstanceOf(LogException.class)
                        .hasMessageContaining("was sealed");
            }
            first.ledger().close();
            readOn(cursor, read);
        }
        assertThat(read).containsExactly("0:a", "1:b", "2:c");
    }

    private static ByteBuf entry(LedgerChain.Head head, long position, String text) {
        return LedgerRecords.encode(head.epoch(), position, List.of(Bytes.utf8(text)));
    }

    /// Each look while the bookies are away would otherwise leave one with ZooKeeper.
    @Test
    void aFollowerKeepsOneWatchWhileTheBookiesAreAway() throws Exception {
        append(process().openWriter(), "a");
        CuratorFramework zooKeeper = ZooKeeperSessions.open(settings);
        opened.add(zooKeeper);
        var watches = new AtomicInteger();
        var looks = new AtomicInteger();
        CuratorFramework counted =
                Calls.before(
                        CuratorFramework.class,
                        Calls.before(
                                CuratorFramework.class,
                                zooKeeper,
                                "checkExists",
                                watches::incrementAndGet),
                        "getData",
                        looks::incrementAndGet);
        BookKeeper client = BookKeeper.newBuilder(settings.clientConfiguration()).build();
        opened.add(client);
        String path = settings.root() + "/logs/1";
        var log =
                new BookKeeperLog(
                        counted,
                        client,
                        settings,
                        path,
                        new SystemEnv(),
                        LogOptions.DEFAULT,
                        fatal::add);
        opened.add(log);
        assertThat(log.awaitDurable(1, Duration.ofMillis(500))).isFalse();
        assertThat(watches).hasValue(1);
        for (int bookie = 0; bookie < 3; bookie++) {
            ledgers.stopBookie(bookie);
        }
        zooKeeper.setData().forPath(path, zooKeeper.getData().forPath(path));
        int before = looks.get();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (looks.get() < before + 3) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(20);
        }
        for (int bookie = 0; bookie < 3; bookie++) {
            ledgers.startBookie(bookie);
        }
        assertThat(watches).hasValue(2);
    }

    @Test
    void writesWaitForBookiesAndThenGoOnByThemselves() throws Exception {
        BookKeeperLog log = process(new LogOptions(2000, 1 << 20));
        LogWriter writer = log.openWriter();
        List<String> expected = new ArrayList<>();
        for (int count = 0; count < 20; count++) {
            expected.add(append(writer, "before " + count) + ":before " + count);
        }
        ledgers.stopBookie(2);
        for (int count = 0; count < 100; count++) {
            expected.add(append(writer, "one gone " + count) + ":one gone " + count);
        }
        ledgers.stopBookie(1);
        List<CompletableFuture<Long>> waiting = new ArrayList<>();
        for (int count = 0; count < 50; count++) {
            waiting.add(appendLater(writer, "two gone " + count));
        }
        assertThatThrownBy(() -> waiting.getLast().get(2, TimeUnit.SECONDS))
                .isInstanceOf(TimeoutException.class);
        ledgers.startBookie(1);
        ledgers.startBookie(2);
        for (int count = 0; count < 50; count++) {
            expected.add(waiting.get(count).get(60, TimeUnit.SECONDS) + ":two gone " + count);
        }
        assertThat(fatal).isEmpty();
        assertThat(readAll(log)).isEqualTo(expected);
        assertThat(readAll(process())).isEqualTo(expected);
    }

    @Test
    void aCursorGoesOnWhereAReadHasFailed() throws Exception {
        BookKeeperLog log = process();
        LogWriter writer = log.openWriter();
        List<String> expected = new ArrayList<>();
        for (int count = 0; count < 200; count++) {
            expected.add(append(writer, "r" + count) + ":r" + count);
        }
        List<String> read = new ArrayList<>();
        try (LogCursor cursor = log.read(0)) {
            assertThat(cursor.next()).isTrue();
            read.add(cursor.position() + ":" + cursor.record().utf8());
            for (int bookie = 0; bookie < 3; bookie++) {
                ledgers.stopBookie(bookie);
            }
            assertThatThrownBy(() -> readOn(cursor, read)).isInstanceOf(LogException.class);
            for (int bookie = 0; bookie < 3; bookie++) {
                ledgers.startBookie(bookie);
            }
            boolean isDone = false;
            for (int tries = 0; !isDone && tries < 300; tries++) {
                try {
                    readOn(cursor, read);
                    isDone = true;
                } catch (LogException e) {
                    // The client does not try again at once to reach a bookie.
                    new SystemEnv().sleep(Duration.ofMillis(100));
                }
            }
        }
        assertThat(read).isEqualTo(expected);
    }

    private static void readOn(LogCursor cursor, List<String> read) {
        while (cursor.next()) {
            read.add(cursor.position() + ":" + cursor.record().utf8());
        }
    }

    @Test
    void aRestartOfZooKeeperDelaysTheNextLedgerAndNothingElse() throws Exception {
        BookKeeperLog log = process(new LogOptions(2000, 1 << 20));
        LogWriter writer = log.openWriter();
        append(writer, "before");
        ledgers.stopZooKeeper();
        append(writer, "without");
        var later = new ArrayList<CompletableFuture<Long>>();
        for (int count = 0; count < 100; count++) {
            later.add(appendLater(writer, "x".repeat(100)));
        }
        ledgers.startZooKeeper();
        assertThat(later.getLast().get(60, TimeUnit.SECONDS)).isEqualTo(101);
        assertThat(readAll(process())).hasSize(102);
        assertThat(fatal).isEmpty();
    }

    @Test
    void anOldLedgerIsFollowedByAnother() throws Exception {
        BookKeeperLog log = agingProcess();
        LogWriter writer = log.openWriter();
        String large = "x".repeat((int) PresentLedger.MIN_AGED_BYTES / 2);
        for (int count = 0; count < 6; count++) {
            append(writer, large);
        }
        assertThat(log.chain().list().ledgers()).hasSize(3);
        assertThat(readAll(log)).hasSize(6);
    }

    @Test
    void aSmallLedgerDoesNotEndForItsAge() throws Exception {
        BookKeeperLog log = agingProcess();
        LogWriter writer = log.openWriter();
        for (int count = 0; count < 50; count++) {
            append(writer, "r");
        }
        assertThat(log.chain().list().ledgers()).hasSize(1);
    }

    /// Its ledgers are old at once.
    private BookKeeperLog agingProcess() throws Exception {
        var aged = settings.withRollAge(Duration.ZERO);
        CuratorFramework zooKeeper = ZooKeeperSessions.open(aged);
        opened.add(zooKeeper);
        BookKeeper client = BookKeeper.newBuilder(aged.clientConfiguration()).build();
        opened.add(client);
        var log =
                new BookKeeperLog(
                        zooKeeper,
                        client,
                        aged,
                        aged.root() + "/logs/aged",
                        new SystemEnv(),
                        LogOptions.DEFAULT,
                        fatal::add);
        opened.add(log);
        return log;
    }

    private static long append(LogWriter writer, String text) {
        return appendLater(writer, text).join();
    }

    private static CompletableFuture<Long> appendLater(LogWriter writer, String text) {
        var future = new CompletableFuture<Long>();
        writer.append(
                Bytes.utf8(text),
                (position, failure) -> {
                    if (failure == null) {
                        future.complete(position);
                    } else {
                        future.completeExceptionally(failure);
                    }
                });
        return future;
    }

    private static List<String> readAll(Log log) {
        List<String> found = new ArrayList<>();
        try (LogCursor cursor = log.read(0)) {
            while (cursor.next()) {
                found.add(cursor.position() + ":" + cursor.record().utf8());
            }
        }
        return found;
    }
}

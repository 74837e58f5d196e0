package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.LongConsumer;

/// What every log promises.
public abstract class LogContract {
    /// The same log each time, as a process started after a crash would find it.
    protected abstract Log reopen();

    @Test
    void anEmptyLogHasNoRecords() {
        Log log = reopen();
        assertThat(log.firstPosition()).isZero();
        assertThat(log.nextPosition()).isZero();
        assertThat(readAll(log, 0)).isEmpty();
    }

    @Test
    void recordsAreNumberedFromZeroAndReadBackInOrder() {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        assertThat(append(writer, "a")).isZero();
        assertThat(append(writer, "")).isEqualTo(1);
        assertThat(append(writer, "ccc")).isEqualTo(2);

        assertThat(log.nextPosition()).isEqualTo(3);
        assertThat(writer.nextPosition()).isEqualTo(3);
        assertThat(readAll(log, 0)).containsExactly("0:a", "1:", "2:ccc");
        assertThat(readAll(log, 2)).containsExactly("2:ccc");
        assertThat(readAll(log, 3)).isEmpty();
        log.close();
    }

    @Test
    void recordsOutliveARestart() {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        append(writer, "a");
        append(writer, "b");
        log.close();

        Log again = reopen();
        assertThat(readAll(again, 0)).containsExactly("0:a", "1:b");
        assertThat(append(again.openWriter(), "c")).isEqualTo(2);
        again.close();
        assertThat(readAll(reopen(), 1)).containsExactly("1:b", "2:c");
    }

    @Test
    void completionsComeInTheOrderOfPositions() throws Exception {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        int threads = 8;
        int each = 500;
        int total = threads * each;
        var completed = new ConcurrentLinkedQueue<Long>();
        var done = new CountDownLatch(total);
        for (int thread = 0; thread < threads; thread++) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                for (int count = 0; count < each; count++) {
                                    writer.append(
                                            Bytes.utf8("r" + count),
                                            (position, failure) -> {
                                                assertThat(failure).isNull();
                                                completed.add(position);
                                                done.countDown();
                                            });
                                }
                            });
        }
        done.await();
        assertThat(List.copyOf(completed)).hasSize(total).isSorted();
        assertThat(log.nextPosition()).isEqualTo(total);
        assertThat(readAll(log, 0)).hasSize(total);
        log.close();
    }

    /// Some are alone for a while, some in company, and some records nobody waits for.
    @Test
    void thoseWhoHelpAreToldInOrderToo() throws Exception {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        int threads = 4;
        int each = 100;
        var completed = new ConcurrentLinkedQueue<Long>();
        List<Thread> writers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            writers.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        for (int count = 0; count < each * (number + 1); count++) {
                                            writer.append(
                                                    Bytes.utf8("free"),
                                                    (position, _) -> completed.add(position));
                                            appendHelped(writer, "helped", completed::add);
                                        }
                                    }));
        }
        for (Thread one : writers) {
            one.join();
        }
        writer.close();
        int total = 2 * each * (1 + 2 + 3 + 4);
        assertThat(List.copyOf(completed)).hasSize(total).isSorted();
        assertThat(readAll(log, 0)).hasSize(total);
        log.close();
    }

    @Test
    void anInterruptNeitherBreaksTheLogNorIsLost() throws Exception {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        int count = 300;
        var keptFlag =
                new FutureTask<>(
                        () -> {
                            for (int record = 0; record < count; record++) {
                                appendHelped(writer, "r", _ -> {});
                            }
                            Thread.currentThread().interrupt();
                            appendHelped(writer, "r", _ -> {});
                            return Thread.currentThread().isInterrupted();
                        });
        Thread interrupted = Thread.ofPlatform().start(keptFlag);
        while (interrupted.isAlive()) {
            interrupted.interrupt();
            Thread.onSpinWait();
        }
        assertThat(keptFlag.get()).isTrue();
        assertThat(append(writer, "after")).isEqualTo(count + 1);
        assertThat(readAll(log, 0)).hasSize(count + 2);
        log.close();
    }

    @Test
    void aFencedHelperIsToldAndMayGoOn() {
        Log log = reopen();
        LogWriter old = log.openWriter();
        appendHelped(old, "a", _ -> {});
        LogWriter fresh = log.openWriter();
        assertThatThrownBy(() -> appendHelped(old, "late", _ -> {}))
                .hasCauseInstanceOf(FencedException.class);
        appendHelped(fresh, "b", _ -> {});
        assertThat(readAll(log, 0)).containsExactly("0:a", "1:b");
        log.close();
    }

    @Test
    void aNewWriterFencesTheOneBefore() {
        Log log = reopen();
        LogWriter old = log.openWriter();
        append(old, "a");

        LogWriter fresh = log.openWriter();

        assertThat(fresh.epoch()).isGreaterThan(old.epoch());
        assertThatThrownBy(() -> append(old, "late")).hasCauseInstanceOf(FencedException.class);
        assertThat(append(fresh, "b")).isEqualTo(1);
        assertThatThrownBy(() -> append(old, "later")).hasCauseInstanceOf(FencedException.class);
        assertThat(readAll(log, 0)).containsExactly("0:a", "1:b");
        log.close();
    }

    @Test
    void aWriterCanTellThatItIsFencedWithoutAppending() {
        Log log = reopen();
        LogWriter old = log.openWriter();
        old.checkNotFenced();
        append(old, "a");
        old.checkNotFenced();

        LogWriter fresh = log.openWriter();

        assertThatThrownBy(old::checkNotFenced).isInstanceOf(FencedException.class);
        fresh.checkNotFenced();
        fresh.close();
        assertThatThrownBy(fresh::checkNotFenced).isInstanceOf(LogException.class);
        log.close();
    }

    @Test
    void whatWasAcknowledgedBeforeAFenceIsThereAndNothingElse() {
        Log log = reopen();
        List<String> expected = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            LogWriter writer = log.openWriter();
            List<CompletableFuture<Long>> appended = new ArrayList<>();
            for (int count = 0; count < 50; count++) {
                appended.add(appendLater(writer, round + "." + count));
            }
            // The next writer fences this one with some of it durable and some not.
            log.openWriter();
            for (int count = 0; count < 50; count++) {
                CompletableFuture<Long> future = appended.get(count);
                assertThat(future).isDone();
                if (!future.isCompletedExceptionally()) {
                    expected.add(future.join() + ":" + round + "." + count);
                }
            }
        }
        assertThat(readAll(log, 0)).isEqualTo(expected);
        log.close();
    }

    @Test
    void epochsGrowAcrossRestarts() {
        Log log = reopen();
        long first = log.openWriter().epoch();
        log.close();
        Log again = reopen();
        assertThat(again.openWriter().epoch()).isGreaterThan(first);
        again.close();
    }

    @Test
    void closingWaitsForEverythingQueued() {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        var last = new CompletableFuture<Long>();
        for (int count = 0; count < 1000; count++) {
            last = appendLater(writer, "r");
        }
        writer.close();
        assertThat(last).isCompletedWithValue(999L);
        assertThatThrownBy(() -> append(writer, "late")).hasCauseInstanceOf(LogException.class);
        log.close();
    }

    @Test
    void aCursorGoesOnWhenMoreBecomesDurable() {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        try (LogCursor cursor = log.read(0)) {
            assertThat(cursor.next()).isFalse();
            for (int round = 0; round < 100; round++) {
                append(writer, "r" + round);
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.position()).isEqualTo(round);
                assertThat(cursor.record()).isEqualTo(Bytes.utf8("r" + round));
                assertThat(cursor.next()).isFalse();
            }
        }
        log.close();
    }

    @Test
    void aTailIsWokenByEachRecordAndReadsOverSegmentsThatAreTrimmedBehindIt() throws Exception {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        int count = 200;
        var read = new ConcurrentLinkedQueue<String>();
        var found = new FutureTask<>(() -> tail(log, count, read));
        Thread tailing = Thread.ofVirtual().start(found);
        for (int record = 0; record < count; record++) {
            long position = append(writer, "r" + record + "x".repeat(150));
            // What the tail has read is given up, as it goes.
            log.trim(Math.min(position, read.size()));
        }
        tailing.join();
        List<String> all = List.copyOf(found.get());
        assertThat(all).hasSize(count);
        for (int record = 0; record < count; record++) {
            assertThat(all.get(record)).startsWith(record + ":r" + record + "x");
        }
        log.close();
    }

    private static Queue<String> tail(Log log, int count, Queue<String> read)
            throws InterruptedException {
        try (LogCursor cursor = log.read(0)) {
            while (read.size() < count) {
                assertThat(log.awaitDurable(read.size(), Duration.ofSeconds(10))).isTrue();
                while (cursor.next()) {
                    read.add(cursor.position() + ":" + cursor.record().utf8());
                }
            }
        }
        return read;
    }

    @Test
    void aTailThatNobodyFeedsGivesUpInTime() throws Exception {
        Log log = reopen();
        append(log.openWriter(), "a");
        assertThat(log.awaitDurable(0, Duration.ZERO)).isTrue();
        assertThat(log.awaitDurable(1, Duration.ofMillis(1))).isFalse();
        log.close();
    }

    @Test
    void aTailFromUnderWhichTheLogWasTrimmedIsTold() {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        String large = "x".repeat(300);
        append(writer, large);
        try (LogCursor cursor = log.read(0)) {
            assertThat(cursor.next()).isTrue();
            for (int count = 0; count < 50; count++) {
                append(writer, large);
            }
            log.trim(40);
            assertThatThrownBy(
                            () -> {
                                while (cursor.next()) {
                                    assertThat(cursor.position()).isLessThan(40);
                                }
                            })
                    .isInstanceOf(TrimmedException.class);
        }
        assertThat(readAll(log, log.firstPosition())).hasSize((int) (51 - log.firstPosition()));
        log.close();
    }

    @Test
    void aTailGoesOnWithTheNextWriter() throws Exception {
        Log log = reopen();
        append(log.openWriter(), "a");
        try (LogCursor cursor = log.read(0)) {
            assertThat(cursor.next()).isTrue();
            LogWriter next = log.openWriter();
            assertThat(cursor.next()).isFalse();
            append(next, "b");
            assertThat(log.awaitDurable(1, Duration.ZERO)).isTrue();
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.record()).isEqualTo(Bytes.utf8("b"));
        }
        log.close();
    }

    @Test
    void trimmingKeepsWhatIsNeeded() {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        String large = "x".repeat(200);
        for (int count = 0; count < 100; count++) {
            append(writer, large);
        }

        log.trim(60);

        assertThat(log.firstPosition()).isBetween(1L, 60L);
        assertThat(readAll(log, 60)).hasSize(40);
        assertThatThrownBy(() -> readAll(log, log.firstPosition() - 1))
                .isInstanceOf(TrimmedException.class);
        log.close();
        Log again = reopen();
        assertThat(again.nextPosition()).isEqualTo(100);
        assertThat(readAll(again, 60)).hasSize(40);
        again.trim(1000);
        assertThat(append(again.openWriter(), "next")).isEqualTo(100);
        again.close();
    }

    @Test
    void aRecordLargerThanTheQueueGoesThrough() {
        Log log = reopen();
        LogWriter writer = log.openWriter();
        append(writer, "small");
        String large = "0123456789".repeat(100_000);
        append(writer, large);
        append(writer, "small");
        assertThat(readAll(log, 0)).containsExactly("0:small", "1:" + large, "2:small");
        log.close();
    }

    protected static long append(LogWriter writer, String text) {
        return appendLater(writer, text).join();
    }

    protected static CompletableFuture<Long> appendLater(LogWriter writer, String text) {
        return told(LogWriter::append, writer, text, _ -> {});
    }

    protected static CompletableFuture<Long> appendAwaited(LogWriter writer, String text) {
        return told(LogWriter::appendAwaited, writer, text, _ -> {});
    }

    /// As one who commits does it. `durable` is called by the completion.
    protected static void appendHelped(LogWriter writer, String text, LongConsumer durable) {
        var appended = told(LogWriter::appendAwaited, writer, text, durable);
        writer.help();
        appended.join();
    }

    private interface Append {
        long append(LogWriter writer, Bytes record, Completion completion);
    }

    private static CompletableFuture<Long> told(
            Append append, LogWriter writer, String text, LongConsumer durable) {
        var future = new CompletableFuture<Long>();
        long appended =
                append.append(
                        writer,
                        Bytes.utf8(text),
                        (position, failure) -> {
                            if (failure == null) {
                                durable.accept(position);
                                future.complete(position);
                            } else {
                                future.completeExceptionally(failure);
                            }
                        });
        return future.thenApply(
                position -> {
                    assertThat(position).isEqualTo(appended);
                    return position;
                });
    }

    protected static List<String> readAll(Log log, long from) {
        List<String> found = new ArrayList<>();
        try (LogCursor cursor = log.read(from)) {
            while (cursor.next()) {
                found.add(cursor.position() + ":" + cursor.record().utf8());
            }
        }
        return found;
    }
}

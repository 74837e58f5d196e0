package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.SystemEnv;
import io.cleave.testkit.ForwardingEnv;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

class GroupCommitTest {
    private final GatedJournal journal = new GatedJournal();
    private final CompletableFuture<Throwable> fatal = new CompletableFuture<>();
    private final GroupCommit writer =
            new GroupCommit(new SystemEnv(), journal, 1, 0, 100, fatal::complete).start();

    /// Commits only when the test lets it.
    private static final class GatedJournal implements Journal {
        final Semaphore arrived = new Semaphore(0);
        final Semaphore mayGo = new Semaphore(0);
        final List<Integer> groups = new ArrayList<>();
        final List<Thread> committers = new ArrayList<>();
        volatile boolean broken;
        volatile boolean interruptible;
        volatile boolean closed;

        @Override
        public void commit(long firstPosition, List<Bytes> records) throws IOException {
            arrived.release();
            mayGo.acquireUninterruptibly();
            if (broken) {
                throw new IOException("no space left");
            }
            groups.add(records.size());
            committers.add(Thread.currentThread());
        }

        @Override
        public boolean isUninterruptible() {
            return !interruptible;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /// The JVM's threads, on a clock that the test moves.
    private static final class StoppedClock extends ForwardingEnv {
        private final AtomicLong nanos;

        StoppedClock(AtomicLong nanos) {
            super(new SystemEnv());
            this.nanos = nanos;
        }

        @Override
        public long nanoTime() {
            return nanos.get();
        }
    }

    @Test
    void whatQueuesDuringASyncGoesWithTheNextOne() {
        var _ = LogContract.appendLater(writer, "first");
        journal.arrived.acquireUninterruptibly();
        for (int count = 0; count < 10; count++) {
            var _ = LogContract.appendLater(writer, "q");
        }
        journal.mayGo.release(2);
        writer.close();
        assertThat(journal.groups).containsExactly(1, 10);
    }

    /// The clock stands still, so a wait for company ends only when someone says so.
    @Test
    void aFenceDuringAWaitForCompanyCommitsNothing() {
        var clock = new AtomicLong();
        var env = new StoppedClock(clock);
        var waiting = new GroupCommit(env, journal, 1, 0, 100, fatal::complete).start();
        var first = LogContract.appendLater(waiting, "first");
        journal.arrived.acquireUninterruptibly();
        var second = LogContract.appendLater(waiting, "second");
        clock.addAndGet(2_000_000);
        journal.mayGo.release();
        // It is alone where two are expected, so it waits for the other.
        first.join();
        waiting.fence();
        journal.mayGo.release(10);
        assertThat(second).isCompletedExceptionally();
        assertThat(journal.groups).containsExactly(1);
        writer.close();
    }

    @Test
    void aFailedSyncFailsEverythingAfterItForEver() {
        var lost = LogContract.appendLater(writer, "lost");
        journal.arrived.acquireUninterruptibly();
        var queued = LogContract.appendLater(writer, "queued");
        journal.broken = true;
        journal.mayGo.release(10);

        assertThat(fatal.join()).hasMessage("no space left");
        assertThat(lost.handle((position, failure) -> failure).join()).isNotNull();
        assertThat(queued.handle((position, failure) -> failure).join()).isNotNull();
        journal.broken = false;
        assertThat(LogContract.appendLater(writer, "late")).isCompletedExceptionally();
        writer.close();
        assertThat(writer.failed()).isTrue();
        assertThat(journal.groups).isEmpty();
    }

    @Test
    void aCompletionThatThrowsFailsTheWriterButNotItsNeighbours() {
        writer.append(
                Bytes.utf8("a"),
                (position, failure) -> {
                    throw new IllegalStateException("bug");
                });
        journal.mayGo.release(2);
        assertThat(fatal.join()).hasMessage("bug");
        writer.close();
        assertThat(writer.failed()).isTrue();
    }

    @Test
    void appendsWaitWhileTooMuchIsQueued() throws InterruptedException {
        var _ = LogContract.appendLater(writer, "x".repeat(60));
        journal.arrived.acquireUninterruptibly();
        var entered = new CountDownLatch(1);
        var second = new CompletableFuture<Long>();
        Thread blocked =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    entered.countDown();
                                    writer.append(
                                            Bytes.utf8("y".repeat(60)),
                                            (position, failure) -> second.complete(position));
                                });
        entered.await();
        while (blocked.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        assertThat(writer.nextPosition()).isEqualTo(1);
        journal.mayGo.release(2);
        assertThat(second.join()).isEqualTo(1);
        blocked.join();
        writer.close();
    }

    @Test
    void whoIsAloneCommitsByItself() {
        journal.mayGo.release(2);
        for (int count = 0; count < 2; count++) {
            var appended = LogContract.appendAwaited(writer, "a");
            writer.help();
            assertThat(appended).isCompleted();
        }
        assertThat(journal.committers).containsOnly(Thread.currentThread());
        writer.close();
    }

    @Test
    void whatQueuesBehindAHelperIsLeftToTheLog() throws InterruptedException {
        Thread helper = helpWith("first");
        var queued = LogContract.appendAwaited(writer, "q");
        var _ = LogContract.appendLater(writer, "q");
        writer.help();
        journal.mayGo.release(2);
        queued.join();
        helper.join();
        writer.close();
        assertThat(journal.groups).containsExactly(1, 2);
        assertThat(journal.committers.getFirst()).isSameAs(helper);
        assertThat(journal.committers.getLast()).isNotIn(helper, Thread.currentThread());
    }

    /// Appends on a thread of its own; returns when that one is in the journal.
    private Thread helpWith(String text) {
        Thread helper =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    var _ = LogContract.appendAwaited(writer, text);
                                    writer.help();
                                });
        journal.arrived.acquireUninterruptibly();
        return helper;
    }

    @Test
    void aFenceWaitsForTheHelper() throws InterruptedException {
        Thread helper = helpWith("first");
        var queued = LogContract.appendAwaited(writer, "queued");
        Thread fence = Thread.ofPlatform().start(writer::fence);
        while (fence.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        assertThat(journal.closed).isFalse();
        journal.mayGo.release(10);
        fence.join();
        assertThat(journal.closed).isTrue();
        assertThat(journal.groups).containsExactly(1);
        assertThat(queued).isCompletedExceptionally();
        helper.join();
    }

    @Test
    void aHelperWhoseSyncFailsFailsTheWriter() {
        journal.broken = true;
        journal.mayGo.release(10);
        var lost = LogContract.appendAwaited(writer, "lost");
        writer.help();
        assertThat(fatal).isCompleted();
        assertThat(lost).isCompletedExceptionally();
        assertThat(LogContract.appendAwaited(writer, "late")).isCompletedExceptionally();
        writer.help();
        writer.close();
        assertThat(writer.failed()).isTrue();
        assertThat(journal.closed).isTrue();
    }

    /// What the last resort itself throws is no answer to the one who happened to help.
    @Test
    void aHelperIsToldOfAFailureLikeAllOthers() {
        var failing =
                new GroupCommit(
                                new SystemEnv(),
                                journal,
                                1,
                                0,
                                100,
                                cause -> {
                                    throw new IllegalStateException(cause);
                                })
                        .start();
        journal.broken = true;
        journal.mayGo.release();
        var lost = LogContract.appendAwaited(failing, "lost");
        failing.help();
        assertThat(lost).isCompletedExceptionally();
        failing.close();
        writer.close();
    }

    @Test
    void whatAnInterruptCouldBreakIsLeftToTheLog() {
        journal.interruptible = true;
        journal.mayGo.release();
        var appended = LogContract.appendAwaited(writer, "a");
        writer.help();
        appended.join();
        writer.close();
        assertThat(journal.committers).doesNotContain(Thread.currentThread());
    }

    @Test
    void anAwaitedRecordThatNobodyHelpsGoesWithTheNext() {
        journal.mayGo.release();
        var forgotten = LogContract.appendAwaited(writer, "a");
        var next = LogContract.appendLater(writer, "b");
        next.join();
        assertThat(forgotten).isCompleted();
        writer.close();
        assertThat(journal.groups).containsExactly(2);
    }

    @Test
    void whoWaitsForRoomDoesNotWaitForItself() {
        journal.mayGo.release(2);
        var first = LogContract.appendAwaited(writer, "x".repeat(60));
        var second = LogContract.appendAwaited(writer, "y".repeat(60));
        // There was room, so it is durable; its completion may only just be on its way.
        first.join();
        writer.help();
        second.join();
        writer.close();
    }
}

package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.SystemEnv;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

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
        volatile boolean broken;

        @Override
        public void commit(long firstPosition, List<Bytes> records) throws IOException {
            arrived.release();
            mayGo.acquireUninterruptibly();
            if (broken) {
                throw new IOException("no space left");
            }
            groups.add(records.size());
        }

        @Override
        public void close() {}
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
}

package io.cleave.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A body that its handler reads while it arrives. The reader waits for bytes. While more than
/// [HttpLimits#UNREAD_BODY_BYTES] wait for the reader, nothing is read from the socket.
///
/// The waiting bytes are taken from the budget of bodies, and are given back when they are read. A
/// body that does not arrive completely never ends: its reader gets an [IOException].
///
/// Threads: the event loop calls [#add], [#end] and [#fail]; one thread reads.
final class ArrivingBody implements RequestBody {
    /// The connection ends every wait: the body has a time limit.
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final Env env;
    private final BodyBudget budget;
    private final Object peer;

    /// Makes the connection read from its socket again. It is called on the reader's thread.
    private final Runnable resume;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final BodyParts parts;

    @GuardedBy("lock")
    private long unread;

    @GuardedBy("lock")
    private long length;

    @GuardedBy("lock")
    private boolean isPaused;

    @GuardedBy("lock")
    private boolean isEnded;

    @GuardedBy("lock")
    private boolean isSkipping;

    @GuardedBy("lock")
    private @Nullable String failure;

    /// The part that is being read, and how much of it was read. Only the reader uses them.
    private byte[] part = new byte[0];

    private int at;

    /// The body begins with `arrived`, whose bytes were taken from the budget.
    ArrivingBody(Env env, BodyBudget budget, Object peer, BodyBuffer arrived, Runnable resume) {
        this.env = env;
        this.budget = budget;
        this.peer = peer;
        this.resume = resume;
        parts = arrived.parts();
        unread = arrived.length();
        length = unread;
    }

    /// Adds a part. Returns whether the socket is not to be read until [#resume] is called.
    boolean add(byte[] bytes) throws BadRequestException {
        lock.lock();
        try {
            length += bytes.length;
            if (isSkipping || failure != null) {
                return false;
            }
            budget.take(peer, bytes.length);
            parts.add(bytes);
            unread += bytes.length;
            isPaused |= unread > HttpLimits.UNREAD_BODY_BYTES;
            changed.signalAll();
            return isPaused;
        } finally {
            lock.unlock();
        }
    }

    /// Called when the last byte has arrived.
    void end() {
        lock.lock();
        try {
            isEnded = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Called when no more bytes will come, although the body is not complete.
    void fail(String why) {
        lock.lock();
        try {
            if (!isEnded && failure == null) {
                failure = why;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Whether the socket is not to be read now.
    boolean isPaused() {
        lock.lock();
        try {
            return isPaused;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void skipRest() throws IOException {
        lock.lock();
        try {
            isSkipping = true;
            drop();
            while (!isEnded) {
                awaitChange();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Gives back the memory of the bytes that nobody has read.
    @GuardedBy("lock")
    private void drop() {
        parts.clear();
        part = new byte[0];
        at = 0;
        giveBack(unread);
    }

    @GuardedBy("lock")
    private void giveBack(long count) {
        budget.giveBack(peer, count);
        unread -= count;
        if (isPaused && unread <= HttpLimits.UNREAD_BODY_BYTES / 2) {
            isPaused = false;
            resume.run();
        }
    }

    /// Waits for a change. Throws if the body has failed.
    @GuardedBy("lock")
    private void awaitChange() throws IOException {
        if (failure != null) {
            drop();
            throw new IOException(failure);
        }
        try {
            env.await(changed, LONGEST_WAIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public boolean isWhole() {
        return false;
    }

    @Override
    public long length() {
        lock.lock();
        try {
            return length;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public byte[] bytes() {
        throw new IllegalStateException("the body is still arriving");
    }

    @Override
    public InputStream stream() {
        return new Reader();
    }

    /// Moves to the next part. Returns false at the end of the body.
    private boolean nextPart() throws IOException {
        lock.lock();
        try {
            // A part is not empty, so the end of a part is reached only after its last byte.
            giveBack(part.length);
            part = new byte[0];
            at = 0;
            byte[] next = parts.poll();
            while (next == null) {
                if (isEnded) {
                    return false;
                }
                awaitChange();
                next = parts.poll();
            }
            part = next;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private final class Reader extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int count) throws IOException {
            Objects.checkFromIndexSize(offset, count, target.length);
            if (count == 0) {
                return 0;
            }
            if (at == part.length && !nextPart()) {
                return -1;
            }
            int copied = Math.min(count, part.length - at);
            System.arraycopy(part, at, target, offset, copied);
            at += copied;
            return copied;
        }

        @Override
        public int available() {
            return part.length - at;
        }
    }
}

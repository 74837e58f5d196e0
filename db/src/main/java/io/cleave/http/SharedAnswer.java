package io.cleave.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// An answer that is made once for all who wait for it. One run goes at a time, so many who ask
/// cost as much as one; an answer is never older than the question.
final class SharedAnswer {
    private final Env env;
    private final Supplier<Answer> source;
    private final ReentrantLock lock = new ReentrantLock();

    /// Those who came since the present run began; no more than there are connections.
    @GuardedBy("lock")
    private List<Consumer<Answer>> waiting = new ArrayList<>();

    @GuardedBy("lock")
    private boolean isRunning;

    SharedAnswer(Env env, Supplier<Answer> source) {
        this.env = env;
        this.source = source;
    }

    void ask(Consumer<Answer> then) {
        lock.lock();
        try {
            waiting.add(then);
            if (isRunning) {
                return;
            }
            isRunning = true;
        } finally {
            lock.unlock();
        }
        env.spawn("http-shared", this::run);
    }

    private void run() {
        for (List<Consumer<Answer>> asked = next(); !asked.isEmpty(); asked = next()) {
            Answer answer = HttpServer.guarded(source);
            asked.forEach(then -> then.accept(answer));
        }
    }

    private List<Consumer<Answer>> next() {
        lock.lock();
        try {
            List<Consumer<Answer>> asked = waiting;
            waiting = new ArrayList<>();
            isRunning = !asked.isEmpty();
            return asked;
        } finally {
            lock.unlock();
        }
    }
}

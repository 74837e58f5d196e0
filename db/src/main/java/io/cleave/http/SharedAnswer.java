package io.cleave.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Makes one answer for all requests that wait for it. Only one run is active at a time, so many
/// requests cost as much as one. A request never gets an answer from a run that began before it.
///
/// Threads: any.
final class SharedAnswer {
    private final Env env;
    private final Supplier<Answer> source;
    private final ReentrantLock lock = new ReentrantLock();

    /// Requests that arrived since the current run began. At most one for each connection.
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

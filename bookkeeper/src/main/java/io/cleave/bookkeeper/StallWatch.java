package io.cleave.bookkeeper;

import io.cleave.base.Env;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Checks regularly how long the oldest record has been waiting, and reports a stall if that is too
/// long. Threads: any.
final class StallWatch {
    private static final Duration STEP = Duration.ofMillis(250);

    private final Env env;
    private final Duration patience;

    /// When the oldest record that is not durable was appended, as [Env#nanoTime].
    private final Supplier<OptionalLong> oldest;

    private final BooleanSupplier isOver;
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private volatile Optional<String> stall = Optional.empty();

    StallWatch(Env env, Duration patience, Supplier<OptionalLong> oldest, BooleanSupplier isOver) {
        this.env = env;
        this.patience = patience;
        this.oldest = oldest;
        this.isOver = isOver;
    }

    void start(String name) {
        env.spawn(name, this::run);
    }

    /// Why records do not become durable; empty while they do.
    Optional<String> stall() {
        return stall;
    }

    void listen(Consumer<String> listener) {
        listeners.add(listener);
    }

    private void run() {
        try {
            while (!isOver.getAsBoolean()) {
                look();
                env.sleep(STEP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stall = Optional.empty();
        }
    }

    private void look() {
        OptionalLong since = oldest.get();
        if (since.isEmpty() || env.nanoTime() - since.getAsLong() < patience.toNanos()) {
            stall = Optional.empty();
            return;
        }
        String why =
                ("the bookies have accepted no write for %d s; writes resume automatically when"
                                + " enough bookies answer")
                        .formatted(patience.toSeconds());
        stall = Optional.of(why);
        listeners.forEach(listener -> listener.accept(why));
    }
}

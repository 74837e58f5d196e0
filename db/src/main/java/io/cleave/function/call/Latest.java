package io.cleave.function.call;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;

/// Caches the last object made from a text, because consecutive rows usually have the same text.
/// Thread-safe.
public final class Latest<T> {
    private record Entry<T>(String text, T what) {}

    private final Function<String, T> maker;
    private volatile @Nullable Entry<T> known;

    public Latest(Function<String, T> maker) {
        this.maker = maker;
    }

    public T of(String text) {
        Entry<T> latest = known;
        if (latest == null || !latest.text().equals(text)) {
            latest = new Entry<>(text, maker.apply(text));
            known = latest;
        }
        return latest.what();
    }
}

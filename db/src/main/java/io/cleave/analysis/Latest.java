package io.cleave.analysis;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;

/// What was last made of a text: that of the row before is mostly that of the next one. Threads:
/// any.
final class Latest<T> {
    private record Made<T>(String text, T what) {}

    private final Function<String, T> maker;
    private volatile @Nullable Made<T> known;

    Latest(Function<String, T> maker) {
        this.maker = maker;
    }

    T of(String text) {
        Made<T> latest = known;
        if (latest == null || !latest.text().equals(text)) {
            latest = new Made<>(text, maker.apply(text));
            known = latest;
        }
        return latest.what();
    }
}

package io.cleave.plan;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;
import java.util.function.Supplier;

/// Keeps what the runner of a step has prepared for it, so that it is prepared once and not in
/// every run. Threads: any. If two threads prepare it at the same time, one of the results is kept.
public final class Memo {
    private volatile @Nullable Object made;

    public <T> T get(Class<T> kind, Supplier<T> maker) {
        Object known = made;
        if (known == null) {
            known = maker.get();
            made = known;
        }
        return kind.cast(known);
    }

    /// Like [#get], with a maker that gets its input as an argument. A call can pass the same maker
    /// every time instead of a new closure.
    public <S, T> T get(Class<T> kind, S of, Function<S, T> maker) {
        Object known = made;
        return known == null ? get(kind, () -> maker.apply(of)) : kind.cast(known);
    }
}

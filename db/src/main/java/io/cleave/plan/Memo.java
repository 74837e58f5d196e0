package io.cleave.plan;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;
import java.util.function.Supplier;

/// Where whoever runs a step keeps what it made of it, so that it is made once and not in every
/// run. Threads: any; when two make it at the same time, one of the two stays.
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

    /// As [#get] with a maker that is the same object in every call, since it is told of what.
    public <S, T> T get(Class<T> kind, S of, Function<S, T> maker) {
        Object known = made;
        return known == null ? get(kind, () -> maker.apply(of)) : kind.cast(known);
    }
}

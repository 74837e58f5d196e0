package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Type;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The aggregate functions by name.
public final class Aggregates {
    private static final Set<String> NAMES = Set.of("count", "sum", "avg", "min", "max", "some");

    private Aggregates() {}

    public static boolean isAggregate(String name) {
        return NAMES.contains(name.toLowerCase(Locale.ROOT));
    }

    public static AggregateFunction find(
            Position at, String name, List<Type> argumentTypes, boolean distinct) {
        throw new StatusException(Status.UNSUPPORTED, "Aggregate " + name, at);
    }
}

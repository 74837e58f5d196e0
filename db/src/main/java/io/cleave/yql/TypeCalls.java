package io.cleave.yql;

import java.util.Set;
import java.util.TreeSet;

/// The names, in lower case, of functions that return types.
public final class TypeCalls {
    /// Functions that make a type from other types.
    public static final Set<String> COMPOSITES =
            Set.of(
                    "optionaltype",
                    "listtype",
                    "settype",
                    "dicttype",
                    "tupletype",
                    "structtype",
                    "varianttype",
                    "taggedtype");

    /// Functions that return a part of a type.
    public static final Set<String> PARTS =
            Set.of(
                    "optionalitemtype",
                    "listitemtype",
                    "tupleelementtype",
                    "structmembertype",
                    "dictkeytype",
                    "dictpayloadtype");

    private TypeCalls() {}

    /// The names of [#COMPOSITES] and [#PARTS], and others.
    public static Set<String> and(String... others) {
        Set<String> names = new TreeSet<>(COMPOSITES);
        names.addAll(PARTS);
        names.addAll(Set.of(others));
        return Set.copyOf(names);
    }
}

package io.cleave.analysis;

import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The module `YQL`, which has every built-in under its own name and a few that are nowhere else,
/// and what is empty in itself: Void, EmptyList, EmptyDict.
final class CoreFunctions {
    static final String MODULE = "YQL";

    /// Functions on containers that make one, or that see a NULL instead of giving it on.
    private static final Set<String> SEE_NULL =
            Set.of(
                    "listcreate",
                    "dictcreate",
                    "setcreate",
                    "listreplicate",
                    "listextend",
                    "listextendstrict",
                    "listzip",
                    "listhas",
                    "dictcontains");

    private CoreFunctions() {}

    static void register(Functions.Registry registry) {
        registry.add("Void", c -> empty(c, Type.Unit.VOID));
        registry.add("EmptyList", c -> empty(c, Type.Unit.EMPTY_LIST));
        registry.add("EmptyDict", c -> empty(c, Type.Unit.EMPTY_DICT));
        registry.add(MODULE, "Concat", CoreFunctions::concat);
        registry.add(MODULE, "ToString", CoreFunctions::text);
        registry.add(MODULE, "Now", CoreFunctions::now);
    }

    private static Typed empty(FunctionCall call, Type type) {
        call.expect(0);
        return new Typed.Constant(type, Value.Null.NULL);
    }

    private static Typed concat(FunctionCall call) {
        call.expect(2);
        return StringFunctions.concat(call.at(), call.value(0), call.value(1));
    }

    private static Typed text(FunctionCall call) {
        call.expect(1);
        return Casts.cast(call.at(), call.value(0), Primitive.STRING);
    }

    /// Microseconds since the epoch.
    private static Typed now(FunctionCall call) {
        return RunFunctions.now(call, Primitive.UINT64, 1);
    }

    /// Makes `ListLength(NULL)` and its like NULL: the first argument of a function on containers
    /// is one, and of no type in particular if it is NULL.
    static void passNull(Map<String, Functions.Resolver> builtins) {
        builtins.replaceAll(
                (name, resolver) ->
                        isOfContainer(name)
                                ? call ->
                                        call.count() > 0 && call.type(0) == Type.Unit.NULL
                                                ? call.value(0)
                                                : resolver.resolve(call)
                                : resolver);
    }

    private static boolean isOfContainer(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        boolean family =
                plain.startsWith("list") || plain.startsWith("dict") || plain.startsWith("set");
        return family && !SEE_NULL.contains(plain) && !plain.endsWith("type");
    }
}

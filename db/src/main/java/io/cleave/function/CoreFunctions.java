package io.cleave.function;

import io.cleave.function.call.Casts;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.text.StringFunctions;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.Locale;
import java.util.Set;

/// The module `YQL`, which has every built-in function under its own name and a few functions that
/// exist only there. Also the empty values Void, EmptyList and EmptyDict.
final class CoreFunctions {
    static final String MODULE = "YQL";

    /// Container functions that create a container, or that handle NULL themselves.
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

    static void register(Registry registry) {
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

    /// Makes container functions return NULL for a NULL literal, as in `ListLength(NULL)`. Their
    /// first argument is a container, and a NULL literal has no container type.
    static void passNull(Registry registry) {
        registry.replaceBuiltins(
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

package io.cleave.function.yt;

import io.cleave.typed.AggregateCall;
import io.cleave.typed.Typed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// The functions of the query language by name. Names are not case-sensitive.
public final class YtFunctions {
    private static final Map<String, YtFunction> SCALARS = new HashMap<>();

    static {
        YtCoreFunctions.register(YtFunctions::add);
        YtHashFunctions.register(YtFunctions::add);
        YtMathFunctions.register(YtFunctions::add);
        YtStringFunctions.register(YtFunctions::add);
        YtRegexFunctions.register(YtFunctions::add);
        YtTimeFunctions.register(YtFunctions::add);
        YtYsonFunctions.register(YtFunctions::add);
    }

    private YtFunctions() {}

    private static void add(YtFunction function) {
        SCALARS.put(function.name(), function);
    }

    /// A call of an aggregate function. Its type may still be open, as in `sum(1)`. Call `maker`
    /// with one of the types.
    public record Aggregation(Set<YtType> types, Function<YtType, AggregateCall> maker) {
        public AggregateCall as(YtType type) {
            return maker.apply(type);
        }
    }

    /// The scalar functions by name.
    static Map<String, YtFunction> scalars() {
        return Collections.unmodifiableMap(SCALARS);
    }

    /// Whether the name is that of an aggregate function.
    public static boolean isAggregate(String name) {
        return YtAggregates.find(name.toLowerCase(Locale.ROOT)).isPresent();
    }

    /// The names of all functions, scalar and aggregate.
    public static Set<String> names() {
        var names = new TreeSet<>(SCALARS.keySet());
        names.addAll(YtAggregates.names());
        return names;
    }

    /// A call of a scalar function; `source` is the text of the call, for messages.
    public static UntypedExpression call(
            String name, List<UntypedExpression> arguments, String source) {
        String plain = name.toLowerCase(Locale.ROOT);
        YtFunction function = SCALARS.get(plain);
        if (function == null) {
            throw undefined(plain);
        }
        List<Set<YtType>> given = arguments.stream().map(UntypedExpression::types).toList();
        Signature.Call call = function.signature().resolve(plain, given, source);
        return UntypedExpression.of(
                call.result(),
                type -> function.maker().make(typed(arguments, call.argumentTypes(type)), type));
    }

    /// A call of an aggregate function.
    public static Aggregation aggregate(
            String name, List<UntypedExpression> arguments, String source) {
        String plain = name.toLowerCase(Locale.ROOT);
        YtAggregate function = YtAggregates.find(plain).orElseThrow(() -> undefined(plain));
        List<Set<YtType>> given = arguments.stream().map(UntypedExpression::types).toList();
        Signature.Call call = function.signature().resolve(plain, given, source);
        return new Aggregation(
                call.result(),
                type -> {
                    List<Typed> typed = typed(arguments, call.argumentTypes(type));
                    var made = function.maker().make(typed, type);
                    return new AggregateCall(plain, made, made.groupedType(), typed);
                });
    }

    private static RuntimeException undefined(String name) {
        return YtQueryErrors.error("Undefined function \"" + name + "\"").exception();
    }

    private static List<Typed> typed(List<UntypedExpression> arguments, List<YtType> types) {
        var typed = new ArrayList<Typed>();
        for (int index = 0; index < arguments.size(); index++) {
            typed.add(arguments.get(index).as(types.get(index)));
        }
        return typed;
    }
}

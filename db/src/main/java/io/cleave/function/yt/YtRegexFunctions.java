package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.YtType.BOOLEAN;
import static io.cleave.function.yt.YtType.STRING;

import io.cleave.base.Bytes;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Arrays;
import java.util.List;

/// Regular expressions. A match of NULL is false; the other functions are NULL for NULL.
final class YtRegexFunctions {
    @FunctionalInterface
    private interface Test {
        boolean test(YtRegex regex, Bytes text, ScalarFunction.Run run);
    }

    @FunctionalInterface
    private interface Rewrite {
        Bytes apply(YtRegex regex, Bytes text, Bytes rewrite, ScalarFunction.Run run);
    }

    private YtRegexFunctions() {}

    static void register(YtFunction.Registry registry) {
        test(registry, "regex_full_match", YtRegex::matches);
        test(registry, "regex_partial_match", YtRegex::found);
        rewrite(registry, "regex_replace_first", YtRegex::replacedFirst);
        rewrite(registry, "regex_replace_all", YtRegex::replacedAll);
        rewrite(registry, "regex_extract", YtRegex::extracted);
        registry.accept(
                YtFunction.strict(
                        "regex_escape",
                        Signature.of(one(STRING), one(STRING)),
                        a -> Value.binary(YtRegex.escaped(YtArithmetic.bytes(a[0])))));
    }

    private static void test(YtFunction.Registry registry, String name, Test test) {
        registry.accept(
                new YtFunction(
                        name,
                        Signature.of(one(BOOLEAN), one(STRING), one(STRING)),
                        (arguments, result) ->
                                node(
                                        name,
                                        result.type(),
                                        arguments,
                                        Value.bool(false),
                                        (regex, a, run) ->
                                                Value.bool(
                                                        test.test(
                                                                regex,
                                                                YtArithmetic.bytes(a[1]),
                                                                run)))));
    }

    private static void rewrite(YtFunction.Registry registry, String name, Rewrite rewrite) {
        registry.accept(
                new YtFunction(
                        name,
                        Signature.of(one(STRING), one(STRING), one(STRING), one(STRING)),
                        (arguments, result) ->
                                node(
                                        name,
                                        result.type().optional(),
                                        arguments,
                                        Value.Null.NULL,
                                        (regex, a, run) ->
                                                Value.binary(
                                                        rewrite.apply(
                                                                regex,
                                                                YtArithmetic.bytes(a[1]),
                                                                YtArithmetic.bytes(a[2]),
                                                                run)))));
    }

    @FunctionalInterface
    private interface RegexBody {
        Value apply(YtRegex regex, Value[] arguments, ScalarFunction.Run run);
    }

    private static Typed node(
            String name, Type type, List<Typed> arguments, Value whenNull, RegexBody body) {
        var latest = new LatestRegex();
        ScalarFunction.RunBody whole =
                (a, run) -> {
                    if (Arrays.stream(a).anyMatch(Value::isNull)) {
                        return whenNull;
                    }
                    return body.apply(latest.of(YtArithmetic.bytes(a[0])), a, run);
                };
        return new Typed.Apply(type, ScalarFunction.refusing(name, whole), arguments);
    }

    /// Keeps the last pattern, which is the same for all rows of most queries. Threads: any.
    private static final class LatestRegex {
        private volatile YtRegex last = YtRegex.compile(Bytes.EMPTY);

        YtRegex of(Bytes pattern) {
            YtRegex known = last;
            if (!known.source().equals(pattern)) {
                known = YtRegex.compile(pattern);
                last = known;
            }
            return known;
        }
    }
}

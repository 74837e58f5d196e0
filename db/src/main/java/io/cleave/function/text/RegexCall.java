package io.cleave.function.text;

import com.google.re2j.Pattern;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Latest;
import io.cleave.function.call.StringArguments;
import io.cleave.function.call.Texts;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A call such as `Re2::Grep("pattern"[, options])(text)`. It arrives as one argument list: the
/// pattern, its options, and from [#subject] on the arguments of the returned function. The pattern
/// may be any expression. A literal pattern is compiled once; if it is invalid, the query fails
/// only when a row is matched.
record RegexCall(FunctionCall call, Typed pattern, RegexOptions options, int subject) {
    /// The module for leftmost-longest matches, limited to the syntax of POSIX.
    static final String POSIX = "Re2posix";

    /// The work on the arguments of the returned function, which may be NULL.
    @FunctionalInterface
    interface Body {
        Value apply(Regex regex, Value[] arguments, ScalarFunction.Run run);
    }

    static boolean isPosix(FunctionCall call) {
        return call.name().startsWith(POSIX + "::");
    }

    /// `arguments` is the number of arguments of the returned function.
    static RegexCall of(FunctionCall call, int arguments) {
        if (call.count() < 1 + arguments || call.count() > 2 + arguments) {
            throw call.error(
                    "%s must be called immediately: %s(\"pattern\")(value)"
                            .formatted(call.name(), call.name()));
        }
        boolean hasOptions = call.count() == 2 + arguments;
        RegexOptions options =
                hasOptions ? RegexOptions.of(call, 1) : RegexOptions.defaults(isPosix(call));
        return new RegexCall(call, StringArguments.required(call, 0), options, hasOptions ? 2 : 1);
    }

    /// The pattern, for functions whose types depend on it; it must be a literal.
    Regex literal() {
        return compile(call.text(0));
    }

    private Regex compile(String text) {
        options.check(call.at(), text);
        return Regex.compile(
                call.at(),
                options.is("Literal", false) ? Pattern.quote(text) : text,
                options.flags());
    }

    /// The text to search: a String or Utf8 that may be NULL.
    Typed argument() {
        return call.as(subject, Primitive.STRING);
    }

    private boolean utf8() {
        return options.is("Utf8", true);
    }

    String text(Value value) {
        return utf8()
                ? Texts.of(value)
                : new String(Texts.bytes(value).array(), StandardCharsets.ISO_8859_1);
    }

    Value value(String text) {
        return Value.binary(
                utf8() ? Bytes.utf8(text) : Bytes.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /// A node whose body also handles NULL arguments.
    Typed apply(Type type, List<Typed> arguments, Body body) {
        if (pattern instanceof Typed.Constant) {
            String text = call.text(0);
            try {
                Regex regex = compile(text);
                return call.applyLong(type, arguments, (a, run) -> body.apply(regex, a, run));
            } catch (StatusException _) {
                return new Typed.Apply(
                        type,
                        ScalarFunction.refusing(
                                call.name(), (a, run) -> body.apply(compile(text), a, run)),
                        arguments);
            }
        }
        var latest = new Latest<>(this::compile);
        var all = new ArrayList<>(arguments);
        all.add(pattern);
        int last = arguments.size();
        return call.applyLong(
                type, all, (a, run) -> body.apply(latest.of(Texts.of(a[last])), a, run));
    }
}

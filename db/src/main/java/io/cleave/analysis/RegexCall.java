package io.cleave.analysis;

import com.google.re2j.Pattern;

import io.cleave.base.Bytes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// A call such as `Re2::Grep("pattern"[, options])(text)`, which arrives as one list of arguments:
/// the pattern with its options, and from [#subject] on what the function is called with.
record RegexCall(FunctionCall call, Regex regex, boolean utf8, int subject) {
    /// The module of leftmost-longest matches and of no other syntax than POSIX's.
    static final String POSIX = "Re2posix";

    static boolean isPosix(FunctionCall call) {
        return call.name().startsWith(POSIX + "::");
    }

    /// `arguments` is how many the function that the first call gives has.
    static RegexCall of(FunctionCall call, int arguments) {
        if (call.count() < 1 + arguments || call.count() > 2 + arguments) {
            throw call.error(
                    "%s has to be called at once: %s(\"pattern\")(value)"
                            .formatted(call.name(), call.name()));
        }
        String pattern = call.text(0);
        boolean hasOptions = call.count() == 2 + arguments;
        RegexOptions options =
                hasOptions ? RegexOptions.of(call, 1) : RegexOptions.defaults(isPosix(call));
        options.check(call.at(), pattern);
        String text = options.is("Literal", false) ? Pattern.quote(pattern) : pattern;
        Regex regex = Regex.compile(call.at(), text, options.flags());
        return new RegexCall(call, regex, options.is("Utf8", true), hasOptions ? 2 : 1);
    }

    /// The text that is searched: a String or Utf8 that may be NULL.
    Typed argument() {
        return call.as(subject, Primitive.STRING);
    }

    String text(Value value) {
        return utf8
                ? Texts.of(value)
                : new String(Texts.bytes(value).array(), StandardCharsets.ISO_8859_1);
    }

    Value value(String text) {
        return Value.binary(
                utf8 ? Bytes.utf8(text) : Bytes.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /// A node that sees the NULLs of its arguments.
    Typed apply(Type type, List<Typed> arguments, ScalarFunction.Body body) {
        return call.apply(type, arguments, body);
    }
}

package io.cleave.function.text;

import com.google.re2j.Pattern;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `Re2::Options(false AS CaseSensitive, …)`: a struct of the given options; an option that is not
/// given is NULL.
final class RegexOptions {
    /// In the order of positional arguments.
    private static final List<String> NAMES =
            List.of(
                    "Utf8",
                    "PosixSyntax",
                    "LongestMatch",
                    "LogErrors",
                    "MaxMem",
                    "Literal",
                    "NeverNl",
                    "DotNl",
                    "NeverCapture",
                    "CaseSensitive",
                    "PerlClasses",
                    "WordBoundary",
                    "OneLine");

    private static final Type.Struct TYPE =
            new Type.Struct(
                    NAMES.stream()
                            .map(
                                    name ->
                                            new Type.Member(
                                                    name,
                                                    (name.equals("MaxMem")
                                                                    ? Primitive.UINT64
                                                                    : Primitive.BOOL)
                                                            .optional()))
                            .toList());

    private final Map<String, Value> said;
    private final boolean posix;

    /// `posix`: the defaults are those of the module `Re2posix`.
    private RegexOptions(Map<String, Value> said, boolean posix) {
        this.said = said;
        this.posix = posix;
    }

    static RegexOptions defaults(boolean posix) {
        return new RegexOptions(Map.of(), posix);
    }

    static Typed resolve(FunctionCall call) {
        call.expect(0, NAMES.size());
        var said = new LinkedHashMap<String, Value>();
        for (int index = 0; index < call.count(); index++) {
            String name = call.label(index).orElse(NAMES.get(index));
            int member = TYPE.indexOf(name);
            if (member < 0) {
                throw call.error("Unknown argument name: " + name);
            }
            Typed value =
                    Conversions.literal(call.value(index), TYPE.members().get(member).type())
                            .orElseThrow(() -> call.error("Bad value of the option " + name));
            if (!(value instanceof Typed.Constant(_, Value constant))) {
                throw call.error("Expected literal value of the option " + name);
            }
            said.put(name, constant);
        }
        var items = new ArrayList<Value>();
        NAMES.forEach(name -> items.add(said.getOrDefault(name, Value.Null.NULL)));
        return new Typed.Constant(TYPE, Value.items(items));
    }

    static RegexOptions of(FunctionCall call, int index) {
        if (!(call.value(index) instanceof Typed.Constant(Type type, Value value))
                || !type.equals(TYPE)) {
            throw call.error(
                    "Expected Re2::Options(…) as argument %d of %s"
                            .formatted(index + 1, call.name()));
        }
        List<Value> items = ((Value.Items) value).items();
        var said = new LinkedHashMap<String, Value>();
        for (int member = 0; member < items.size(); member++) {
            said.put(NAMES.get(member), items.get(member));
        }
        var options = new RegexOptions(said, RegexCall.isPosix(call));
        for (String name : List.of("NeverNl", "NeverCapture")) {
            if (options.is(name, false)) {
                throw Errors.unsupported(call.at(), "The option " + name + " of Re2");
            }
        }
        return options;
    }

    boolean is(String name, boolean otherwise) {
        return said.get(name) instanceof Value.Bool(boolean bool) ? bool : otherwise;
    }

    private boolean isPosixSyntax() {
        return is("PosixSyntax", posix) && !is("Literal", false);
    }

    /// Throws if the pattern does not have the selected syntax.
    void check(Position at, String pattern) {
        if (isPosixSyntax()) {
            PosixSyntax.check(at, pattern, is("PerlClasses", false), is("WordBoundary", false));
        }
    }

    int flags() {
        int flags = 0;
        flags |= is("CaseSensitive", true) ? 0 : Pattern.CASE_INSENSITIVE;
        flags |= is("DotNl", false) ? Pattern.DOTALL : 0;
        flags |= is("LongestMatch", posix) ? Pattern.LONGEST_MATCH : 0;
        // In the POSIX syntax ^ and $ match at line ends, unless OneLine is set.
        flags |= isPosixSyntax() && !is("OneLine", false) ? Pattern.MULTILINE : 0;
        return flags;
    }
}

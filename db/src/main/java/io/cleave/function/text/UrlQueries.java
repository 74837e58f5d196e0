package io.cleave.function.text;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Lists;
import io.cleave.function.call.NamedArguments;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The functions of the module `Url` on query strings, `a=1&b=2`: QueryStringToList,
/// QueryStringToDict and BuildQueryString.
final class UrlQueries {
    private static final Type TEXT = Primitive.STRING;
    private static final Type PAIRS = new Type.ListOf(new Type.Tuple(List.of(TEXT, TEXT)));
    private static final Type LISTS = new Type.Dict(TEXT, new Type.ListOf(TEXT));

    /// The characters that are not escaped in a query, besides letters and digits.
    private static final String SAFE = "-._~";

    private UrlQueries() {}

    static void register(Registry registry) {
        registry.add(UrlModule.MODULE, "QueryStringToList", UrlQueries::toList);
        registry.add(UrlModule.MODULE, "QueryStringToDict", UrlQueries::toDict);
        registry.add(UrlModule.MODULE, "BuildQueryString", UrlQueries::build);
    }

    private record Pair(String name, String value) {}

    /// How a query is parsed. `maxFields` is 0 if it is not given. The arguments are the query and
    /// the separator of its fields.
    private record Reader(
            Position at, boolean keepBlank, boolean strict, int maxFields, List<Typed> arguments) {
        static Reader of(FunctionCall call) {
            call.expect(1, 5);
            var named =
                    new NamedArguments(
                            call, 1, "KeepBlankValues", "Strict", "MaxFields", "Separator");
            return new Reader(
                    call.at(),
                    named.flag("KeepBlankValues", false),
                    named.flag("Strict", true),
                    named.number("MaxFields", 0),
                    List.of(call.as(0, TEXT), named.string("Separator", "&")));
        }

        List<Pair> read(Value[] values) {
            String query = Texts.of(values[0]);
            String separator = Texts.of(values[1]);
            var pairs = new ArrayList<Pair>();
            if (query.isEmpty()) {
                return pairs;
            }
            String[] fields = query.split(Pattern.quote(separator), -1);
            if (maxFields > 0 && fields.length > maxFields) {
                throw Errors.failure(at, "Max number of fields (%d) exceeded".formatted(maxFields));
            }
            for (String field : fields) {
                if (field.isEmpty() && !strict) {
                    continue;
                }
                int equal = field.indexOf('=');
                if (equal < 0 && strict) {
                    throw Errors.failure(at, "Bad query field: \"%s\"".formatted(field));
                }
                String name = equal < 0 ? field : field.substring(0, equal);
                String value = equal < 0 ? "" : field.substring(equal + 1);
                if (!value.isEmpty() || keepBlank) {
                    pairs.add(new Pair(UrlText.decode(name), UrlText.decode(value)));
                }
            }
            return pairs;
        }
    }

    private static Value value(String text) {
        return Value.binary(Bytes.utf8(text));
    }

    private static Typed toList(FunctionCall call) {
        Reader reader = Reader.of(call);
        return call.strict(
                PAIRS,
                reader.arguments(),
                a ->
                        Value.items(
                                reader.read(a).stream()
                                        .map(
                                                p ->
                                                        Value.items(
                                                                List.of(
                                                                        value(p.name()),
                                                                        value(p.value()))))
                                        .toList()));
    }

    private static Typed toDict(FunctionCall call) {
        Reader reader = Reader.of(call);
        return call.strict(
                LISTS,
                reader.arguments(),
                a -> {
                    Map<String, List<Value>> lists = new LinkedHashMap<>();
                    for (Pair pair : reader.read(a)) {
                        lists.computeIfAbsent(pair.name(), _ -> new ArrayList<>())
                                .add(value(pair.value()));
                    }
                    return new Value.Pairs(
                            lists.entrySet().stream()
                                    .map(
                                            e ->
                                                    new Value.Pair(
                                                            value(e.getKey()),
                                                            Value.items(e.getValue())))
                                    .toList());
                });
    }

    /// `BuildQueryString(list of pairs or dict[, "&" AS Separator])`.
    private static Typed build(FunctionCall call) {
        call.expect(1, 2);
        Typed separator = new NamedArguments(call, 1, "Separator").string("Separator", "&");
        Type type = call.bare(0);
        boolean known =
                switch (type) {
                    case Type.ListOf(Type.Tuple(List<Type> items)) ->
                            items.size() == 2 && isText(items.get(0)) && isText(items.get(1));
                    case Type.Dict(Type key, Type.ListOf(Type item)) -> isText(key) && isText(item);
                    case Type.Dict(Type key, Type payload) -> isText(key) && isText(payload);
                    case Type.Unit.EMPTY_LIST, Type.Unit.EMPTY_DICT -> true;
                    default -> false;
                };
        if (!known) {
            throw call.error(
                    "Expected pairs of strings as argument 1 of Url::BuildQueryString, but got: "
                            + call.type(0).text());
        }
        if (type instanceof Type.Unit) {
            return new Typed.Constant(TEXT, value(""));
        }
        return call.strict(
                TEXT,
                List.of(call.value(0), separator),
                a -> value(String.join(Texts.of(a[1]), fields(a[0]))));
    }

    private static boolean isText(Type type) {
        return Texts.isString(type.unwrapped());
    }

    private static List<String> fields(Value value) {
        var fields = new ArrayList<String>();
        if (value instanceof Value.Pairs(List<Value.Pair> pairs)) {
            for (Value.Pair pair : pairs) {
                if (pair.payload() instanceof Value.Items(List<Value> items)) {
                    items.forEach(item -> fields.add(field(pair.key(), item)));
                } else {
                    fields.add(field(pair.key(), pair.payload()));
                }
            }
        } else {
            for (Value pair : Lists.items(value)) {
                List<Value> both = Lists.items(pair);
                fields.add(field(both.get(0), both.get(1)));
            }
        }
        return fields;
    }

    private static String field(Value name, Value value) {
        return encoded(name) + "=" + encoded(value);
    }

    /// Empty for NULL.
    private static String encoded(Value part) {
        return part.isNull() ? "" : UrlText.encode(Texts.bytes(part).array(), SAFE, true);
    }
}

package io.cleave.jsonpath;

import io.cleave.jsonpath.PathNode.MethodName;
import io.cleave.value.Json;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The methods of items, such as `.size()` and `.type()`.
final class PathMethods {
    private PathMethods() {}

    static void apply(MethodName name, Json item, List<Json> result) throws JsonPathException {
        switch (name) {
            case ABS -> result.add(new Json.Numeral(Math.abs(number(item))));
            case FLOOR -> result.add(new Json.Numeral(Math.floor(number(item))));
            case CEILING -> result.add(new Json.Numeral(Math.ceil(number(item))));
            case DOUBLE -> result.add(new Json.Numeral(parsed(item)));
            case TYPE -> result.add(new Json.Text(type(item)));
            case SIZE ->
                    result.add(
                            new Json.Numeral(
                                    item instanceof Json.Array(List<Json> items)
                                            ? items.size()
                                            : 1));
            case KEYVALUE -> pairs(item, result);
        }
    }

    private static double number(Json item) throws JsonPathException {
        if (item instanceof Json.Numeral(double number, _)) {
            return number;
        }
        throw new JsonPathException("Unsupported type for numeric method");
    }

    private static double parsed(Json item) throws JsonPathException {
        if (!(item instanceof Json.Text(String text))) {
            throw new JsonPathException("Unsupported type for double() method");
        }
        Value value =
                ValueParser.parse(Primitive.DOUBLE, text)
                        .orElseThrow(
                                () -> new JsonPathException("Error parsing number from string"));
        double number = ((Value.Real) value).value();
        if (Double.isInfinite(number) || Double.isNaN(number)) {
            throw new JsonPathException("Parsed number is infinity");
        }
        return number;
    }

    private static String type(Json item) {
        return switch (item) {
            case Json.Constant.NULL -> "null";
            case Json.Constant _ -> "boolean";
            case Json.Numeral _ -> "number";
            case Json.Text _ -> "string";
            case Json.Array _ -> "array";
            case Json.Members _ -> "object";
        };
    }

    private static void pairs(Json item, List<Json> result) throws JsonPathException {
        if (!(item instanceof Json.Members(SequencedMap<String, Json> members))) {
            throw new JsonPathException("Unsupported type for keyvalue() method");
        }
        members.forEach(
                (name, value) -> {
                    var pair = new LinkedHashMap<String, Json>();
                    pair.put("name", new Json.Text(name));
                    pair.put("value", value);
                    result.add(new Json.Members(pair));
                });
    }
}

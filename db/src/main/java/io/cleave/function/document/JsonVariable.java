package io.cleave.function.document;

import io.cleave.base.Issue.Position;
import io.cleave.typed.Errors;
import io.cleave.value.Ints;
import io.cleave.value.Json;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

/// A variable that `PASSING` gives to a path.
record JsonVariable(String name, Type type) {
    static JsonVariable of(Position at, String name, Type type) {
        Type bare = type.unwrapped();
        boolean passes =
                switch (bare) {
                    case Type.Unit.NULL -> true;
                    case Primitive primitive ->
                            switch (primitive) {
                                case BOOL, FLOAT, DOUBLE, UTF8, JSON, JSON_DOCUMENT -> true;
                                case DATE, DATETIME, TIMESTAMP -> true;
                                default -> Ints.isInteger(primitive);
                            };
                    default -> false;
                };
        if (!passes) {
            throw Errors.type(
                    at,
                    "You can pass only values of numeric types, Utf8, Bool, Date, Datetime,"
                            + " Timestamp and Json for jsonpath variables, but got: "
                            + type.text());
        }
        return new JsonVariable(name, bare);
    }

    Json json(Value value) {
        return switch (value) {
            case Value.Bool(boolean bool) -> bool ? Json.Constant.TRUE : Json.Constant.FALSE;
            case Value.Int(long number) ->
                    Json.Numeral.of(Ints.number(type == Primitive.UINT64, number));
            case Value.Real(double number) -> new Json.Numeral(number);
            case Value.Text(String text) ->
                    type == Primitive.UTF8
                            ? new Json.Text(text)
                            : JsonFunctions.parsed(type, text).orElse(Json.Constant.NULL);
            default -> Json.Constant.NULL;
        };
    }
}

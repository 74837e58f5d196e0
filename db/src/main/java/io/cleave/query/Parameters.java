package io.cleave.query;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.value.Convert;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.HashMap;
import java.util.Map;

/// Binds the parameters of a program to the values that were sent. Members of a Struct are matched
/// by name, because clients sort them.
final class Parameters {
    private Parameters() {}

    /// `declared` has the parameters that the program expects. Other values that were sent are
    /// ignored. An Optional parameter without a value is NULL.
    static Map<String, Value> bind(Map<String, Type> declared, Map<String, TypedValue> sent) {
        if (declared.isEmpty()) {
            return Map.of();
        }
        if (declared.size() == 1) {
            Map.Entry<String, Type> only = declared.entrySet().iterator().next();
            return Map.of(only.getKey(), bind(only.getKey(), only.getValue(), sent));
        }
        Map<String, Value> bound = HashMap.newHashMap(declared.size());
        declared.forEach((name, type) -> bound.put(name, bind(name, type, sent)));
        return bound;
    }

    /// The value of one parameter.
    static Value bind(String name, Type expected, Map<String, TypedValue> sent) {
        TypedValue given = sent.get(name);
        if (given == null && expected.isOptional()) {
            return Value.Null.NULL;
        }
        if (given == null) {
            throw bad("Missing value for parameter: " + name);
        }
        if (given.type().equals(expected)) {
            return given.value();
        }
        return Convert.find(given.type(), expected)
                .orElseThrow(
                        () ->
                                bad(
                                        "Parameter %s type mismatch, expected: %s, actual: %s"
                                                .formatted(
                                                        name,
                                                        expected.text(),
                                                        given.type().text())))
                .apply(given.value());
    }

    private static StatusException bad(String message) {
        return new StatusException(Status.BAD_REQUEST, Issue.error(Issue.BAD_REQUEST, message));
    }
}

package io.cleave.function.document;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.CallScope;
import io.cleave.function.call.Casts;
import io.cleave.function.call.Dialect;
import io.cleave.jsonpath.JsonPath;
import io.cleave.jsonpath.JsonPathException;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Json;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Expression.JsonFallback;
import io.cleave.yql.Expression.JsonHandler;
import io.cleave.yql.Expression.JsonWrapper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/// JSON_EXISTS, JSON_VALUE and JSON_QUERY: their types and clauses. The path is parsed once, when
/// the query is compiled. The arguments of the function are the document, the variables, and the
/// values of `DEFAULT … ON EMPTY` and `DEFAULT … ON ERROR`. NULL stands for a missing clause.
public final class JsonFunctions {
    /// A shorter document is parsed so fast that the steps are not counted.
    private static final int SHORT_TEXT = 16 << 10;

    private static final Typed NOTHING = new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);

    private final CallScope scope;

    public JsonFunctions(CallScope scope) {
        this.scope = scope;
    }

    public Typed resolve(Expression.JsonCall call) {
        Typed document = scope.analyze(call.document());
        Type json = document.type().unwrapped();
        if (json != Primitive.JSON && json != Primitive.JSON_DOCUMENT && json != Type.Unit.NULL) {
            throw Errors.type(
                    call.document().at(),
                    "Expected Json or JsonDocument, but got: " + document.type().text());
        }
        JsonPath path;
        try {
            path = JsonPath.parse(call.path());
        } catch (JsonPathException e) {
            throw Errors.type(
                    call.at(), "Invalid JsonPath '%s': %s".formatted(call.path(), e.getMessage()));
        }
        var arguments = new ArrayList<Typed>();
        arguments.add(document);
        var variables = new ArrayList<JsonVariable>();
        for (Expression.Argument variable : call.variables()) {
            Typed value = scope.analyze(variable.value());
            variables.add(
                    JsonVariable.of(
                            variable.value().at(), variable.name().orElseThrow(), value.type()));
            arguments.add(value);
        }
        var search = new Search(json, path, variables);
        return switch (call.function()) {
            case JSON_EXISTS -> exists(call, search, arguments);
            case JSON_VALUE -> value(call, search, arguments);
            case JSON_QUERY -> query(call, search, arguments);
        };
    }

    /// A path and the variables passed to it.
    private record Search(Type type, JsonPath path, List<JsonVariable> variables) {
        List<Json> find(Value[] arguments, ScalarFunction.Run run) throws JsonPathException {
            // Members are returned sorted by name, whatever their order in the text.
            String text = ((Value.Text) arguments[0]).value();
            IntConsumer pass = text.length() < SHORT_TEXT ? Json.NOBODY : run::pass;
            Json document =
                    parsed(type, text, pass)
                            .orElseThrow(() -> new IllegalStateException("invalid Json value"))
                            .sorted(pass);
            Map<String, Json> bound = new HashMap<>();
            for (int index = 0; index < variables.size(); index++) {
                JsonVariable variable = variables.get(index);
                bound.put(variable.name(), variable.json(arguments[index + 1]));
            }
            return path.find(document, bound, run::pass);
        }
    }

    /// Parses a Json or JsonDocument value.
    static Optional<Json> parsed(Type type, String text) {
        return parsed(type, text, Json.NOBODY);
    }

    private static Optional<Json> parsed(Type type, String text, IntConsumer pass) {
        return type == Primitive.JSON_DOCUMENT
                ? Json.parseDocument(text, pass)
                : Json.parse(text, pass);
    }

    private static JsonFallback fallback(Optional<JsonHandler> handler, JsonFallback otherwise) {
        return handler.map(JsonHandler::fallback).orElse(otherwise);
    }

    private Typed exists(Expression.JsonCall call, Search search, List<Typed> arguments) {
        JsonFallback onError = fallback(call.onError(), JsonFallback.FALSE);
        return apply(
                call,
                Primitive.BOOL,
                arguments,
                (a, run) -> {
                    try {
                        return Value.bool(!search.find(a, run).isEmpty());
                    } catch (JsonPathException e) {
                        return switch (onError) {
                            case TRUE -> Value.Bool.TRUE;
                            case FALSE -> Value.Bool.FALSE;
                            case ERROR -> throw Errors.failure(call.at(), e.getMessage());
                            default -> Value.Null.NULL;
                        };
                    }
                });
    }

    private Typed value(Expression.JsonCall call, Search search, List<Typed> arguments) {
        Type type = call.returning().orElse(Primitive.UTF8).unwrapped();
        boolean any = call.returning().isEmpty();
        if (!JsonScalars.canReturn(type)) {
            throw Errors.type(
                    call.at(),
                    "Returning argument of JSON_VALUE callable supports only Utf8, String, Bool,"
                            + " numeric, Date, Datetime and Timestamp types, but got: "
                            + type.text());
        }
        int emptyAt = arguments.size();
        int errorAt = emptyAt + 2;
        addDefault(call.onEmpty(), type, arguments);
        addDefault(call.onError(), type, arguments);
        JsonFallback onEmpty = fallback(call.onEmpty(), JsonFallback.NULL);
        JsonFallback onError = fallback(call.onError(), JsonFallback.NULL);
        return apply(
                call,
                type,
                arguments,
                (a, run) -> {
                    try {
                        List<Json> found = search.find(a, run);
                        if (found.isEmpty()) {
                            if (castFailed(a, emptyAt)) {
                                throw JsonScalars.failure(castFailure("EMPTY", type));
                            }
                            return instead(call.at(), onEmpty, "Result is empty", a[emptyAt]);
                        }
                        if (found.size() > 1) {
                            throw JsonScalars.failure("Result consists of multiple items");
                        }
                        return any
                                ? JsonScalars.text(found.getFirst())
                                : JsonScalars.value(type, found.getFirst());
                    } catch (JsonPathException | JsonScalars.Mismatch e) {
                        if (castFailed(a, errorAt)) {
                            throw Errors.failure(call.at(), castFailure("ERROR", type));
                        }
                        return instead(
                                call.at(), onError, String.valueOf(e.getMessage()), a[errorAt]);
                    }
                });
    }

    /// Adds two arguments for `DEFAULT value`: the value cast to the type, and the original value.
    private void addDefault(Optional<JsonHandler> handler, Type type, List<Typed> arguments) {
        if (handler.isEmpty() || handler.get().value().isEmpty()) {
            arguments.addAll(List.of(NOTHING, NOTHING));
            return;
        }
        Expression written = handler.get().value().get();
        Typed value = scope.analyze(written);
        arguments.addAll(List.of(Casts.cast(written.at(), value, type.optional()), value));
    }

    private static boolean castFailed(Value[] arguments, int at) {
        return arguments[at].isNull() && !arguments[at + 1].isNull();
    }

    private static String castFailure(String clause, Type type) {
        return "Failed to cast default value from ON %s clause to target type %s"
                .formatted(clause, type.optional().text());
    }

    private static Value instead(
            Position at, JsonFallback fallback, String message, Value otherwise) {
        return switch (fallback) {
            case ERROR -> throw Errors.failure(at, message);
            case DEFAULT -> otherwise;
            case EMPTY_ARRAY -> Value.text("[]");
            case EMPTY_OBJECT -> Value.text("{}");
            case NULL, TRUE, FALSE -> Value.Null.NULL;
        };
    }

    private Typed query(Expression.JsonCall call, Search search, List<Typed> arguments) {
        JsonWrapper wrapper = call.wrapper().orElse(JsonWrapper.WITHOUT);
        if (wrapper != JsonWrapper.WITHOUT && call.onEmpty().isPresent()) {
            throw Errors.type(
                    call.at(), "ON EMPTY is prohibited because WRAPPER clause is specified");
        }
        JsonFallback onEmpty = fallback(call.onEmpty(), JsonFallback.NULL);
        JsonFallback onError = fallback(call.onError(), JsonFallback.NULL);
        boolean document = scope.dialect().has(Dialect.Option.JSON_DOCUMENTS);
        return apply(
                call,
                document ? Primitive.JSON_DOCUMENT : Primitive.JSON,
                arguments,
                (a, run) -> {
                    try {
                        List<Json> found = search.find(a, run);
                        if (wraps(wrapper, found)) {
                            return printed(new Json.Array(found), document, run);
                        }
                        if (found.isEmpty()) {
                            return instead(call.at(), onEmpty, "Result is empty", Value.Null.NULL);
                        }
                        if (found.size() > 1) {
                            throw JsonScalars.failure("Result consists of multiple items");
                        }
                        if (!isContainer(found.getFirst())) {
                            throw JsonScalars.failure(
                                    "Extracted JSON value is neither object nor array");
                        }
                        return printed(found.getFirst(), document, run);
                    } catch (JsonPathException | JsonScalars.Mismatch e) {
                        return instead(
                                call.at(),
                                onError,
                                String.valueOf(e.getMessage()),
                                Value.Null.NULL);
                    }
                });
    }

    private static Value printed(Json json, boolean document, ScalarFunction.Run run) {
        String text = json.print();
        return Value.text(document ? Json.normalize(text, run::pass).orElseThrow() : text);
    }

    private static boolean wraps(JsonWrapper wrapper, List<Json> found) {
        return switch (wrapper) {
            case WITHOUT -> false;
            case UNCONDITIONAL -> true;
            case CONDITIONAL -> found.size() != 1 || !isContainer(found.getFirst());
        };
    }

    private static boolean isContainer(Json json) {
        return json instanceof Json.Array || json instanceof Json.Members;
    }

    /// Returns NULL if the document is NULL.
    private static Typed apply(
            Expression.JsonCall call,
            Type type,
            List<Typed> arguments,
            ScalarFunction.RunBody body) {
        return new Typed.Apply(
                type.optional(),
                ScalarFunction.ofLong(
                        call.function().name(),
                        (a, run) -> a[0].isNull() ? a[0] : body.apply(a, run)),
                arguments);
    }
}

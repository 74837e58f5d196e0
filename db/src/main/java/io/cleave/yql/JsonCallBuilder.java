package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.yql.Expression.Argument;
import io.cleave.yql.Expression.JsonCall;
import io.cleave.yql.Expression.JsonFallback;
import io.cleave.yql.Expression.JsonFunction;
import io.cleave.yql.Expression.JsonHandler;
import io.cleave.yql.Expression.JsonWrapper;

import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Builds JSON_EXISTS, JSON_VALUE and JSON_QUERY with their clauses.
final class JsonCallBuilder {
    private final ExpressionBuilder expressions;

    JsonCallBuilder(ExpressionBuilder expressions) {
        this.expressions = expressions;
    }

    JsonCall call(Yql.JsonCallContext context) {
        Position at = Places.at(context);
        JsonFunction function =
                switch (context.start.getType()) {
                    case Yql.JSON_EXISTS -> JsonFunction.JSON_EXISTS;
                    case Yql.JSON_VALUE -> JsonFunction.JSON_VALUE;
                    default -> JsonFunction.JSON_QUERY;
                };
        Yql.JsonPathContext path = context.jsonPath();
        Optional<Type> returning =
                context.type() == null ? Optional.empty() : Optional.of(Types.of(context.type()));
        return new JsonCall(
                at,
                function,
                expressions.expression(path.expression()),
                Literals.name(Places.at(path.STRING().getSymbol()), path.STRING().getText()),
                variables(path.jsonVariable()),
                returning,
                wrapper(context.jsonWrapper()),
                handler(context, Yql.EMPTY),
                handler(context, Yql.ERROR));
    }

    private List<Argument> variables(List<Yql.JsonVariableContext> contexts) {
        var variables = new ArrayList<Argument>();
        for (Yql.JsonVariableContext variable : contexts) {
            variables.add(
                    new Argument(
                            Optional.of(Types.tag(variable.tag())),
                            expressions.expression(variable.expression())));
        }
        return variables;
    }

    private static Optional<JsonWrapper> wrapper(Yql.@Nullable JsonWrapperContext wrapper) {
        if (wrapper == null) {
            return Optional.empty();
        }
        if (wrapper.WITHOUT() != null) {
            return Optional.of(JsonWrapper.WITHOUT);
        }
        return Optional.of(
                wrapper.CONDITIONAL() != null
                        ? JsonWrapper.CONDITIONAL
                        : JsonWrapper.UNCONDITIONAL);
    }

    /// The handler for `ON EMPTY` or `ON ERROR`.
    private Optional<JsonHandler> handler(Yql.JsonCallContext call, int wanted) {
        Optional<JsonHandler> found = Optional.empty();
        if (call.jsonExistsHandler() != null && wanted == Yql.ERROR) {
            return Optional.of(handler(call.jsonExistsHandler()));
        }
        for (Yql.JsonValueHandlerContext handler : call.jsonValueHandler()) {
            if (handler.on.getType() == wanted) {
                refuseSecond(handler, handler.on, found);
                found = Optional.of(handler(handler));
            } else {
                refuseEmptyAfterError(call.jsonValueHandler(0).on, handler.on);
            }
        }
        for (Yql.JsonQueryHandlerContext handler : call.jsonQueryHandler()) {
            if (handler.on.getType() == wanted) {
                refuseSecond(handler, handler.on, found);
                found = Optional.of(handler(handler));
            } else {
                refuseEmptyAfterError(call.jsonQueryHandler(0).on, handler.on);
            }
        }
        return found;
    }

    private static void refuseSecond(
            ParserRuleContext handler, Token on, Optional<JsonHandler> found) {
        if (found.isPresent()) {
            throw Places.error(
                    Places.at(handler),
                    "Only one ON %s clause is expected".formatted(on.getText()));
        }
    }

    private static void refuseEmptyAfterError(Token first, Token on) {
        if (first.getType() == Yql.ERROR && on.getType() == Yql.EMPTY) {
            throw Places.error(Places.at(on), "ON EMPTY clause must be before ON ERROR clause");
        }
    }

    private static JsonHandler handler(Yql.JsonExistsHandlerContext context) {
        return plain(
                switch (context.start.getType()) {
                    case Yql.TRUE -> JsonFallback.TRUE;
                    case Yql.FALSE -> JsonFallback.FALSE;
                    case Yql.UNKNOWN -> JsonFallback.NULL;
                    default -> JsonFallback.ERROR;
                });
    }

    private JsonHandler handler(Yql.JsonValueHandlerContext context) {
        if (context.expression() != null) {
            return new JsonHandler(
                    JsonFallback.DEFAULT,
                    Optional.of(expressions.expression(context.expression())));
        }
        return plain(context.NULL() != null ? JsonFallback.NULL : JsonFallback.ERROR);
    }

    private static JsonHandler handler(Yql.JsonQueryHandlerContext context) {
        if (context.ARRAY() != null) {
            return plain(JsonFallback.EMPTY_ARRAY);
        }
        if (context.OBJECT() != null) {
            return plain(JsonFallback.EMPTY_OBJECT);
        }
        return plain(context.NULL() != null ? JsonFallback.NULL : JsonFallback.ERROR);
    }

    private static JsonHandler plain(JsonFallback fallback) {
        return new JsonHandler(fallback, Optional.empty());
    }
}

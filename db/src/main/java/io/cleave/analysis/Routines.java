package io.cleave.analysis;

import io.cleave.analysis.Bindings.Binding;
import io.cleave.base.Issue.Position;
import io.cleave.function.call.Dialect;
import io.cleave.typed.Relation;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;
import io.cleave.yql.Statement.RoutineParameter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Calls of actions and subqueries defined by DEFINE. The body is analyzed with the names visible
/// at its definition. Its parameters stand for the arguments, which are analyzed with the names
/// visible at the call.
final class Routines {
    private Routines() {}

    /// The names visible in the body of the routine.
    static @Nullable Bindings inside(
            Position at,
            Bindings.Routine routine,
            List<Expression> arguments,
            @Nullable Bindings caller) {
        Statement.DefineRoutine definition = routine.definition();
        List<RoutineParameter> parameters = definition.parameters();
        long required = parameters.stream().filter(p -> !p.optional()).count();
        if (arguments.size() < required || arguments.size() > parameters.size()) {
            throw AnalysisContext.error(
                    at,
                    "%s requires %s arguments, given: %d"
                            .formatted(
                                    definition.name(),
                                    required == parameters.size()
                                            ? "" + required
                                            : "from " + required + " to " + parameters.size(),
                                    arguments.size()));
        }
        Bindings inside = routine.seen();
        for (int index = 0; index < parameters.size(); index++) {
            Expression argument =
                    index < arguments.size()
                            ? arguments.get(index)
                            : new Expression.Literal(at, Type.Unit.NULL, Value.Null.NULL);
            inside =
                    new Bindings(
                            inside,
                            parameters.get(index).name(),
                            new Binding(argument, -1, caller));
        }
        return inside;
    }

    /// The rows of a subquery, whose body is definitions followed by one query.
    static Relation rows(
            AnalysisContext context,
            Position at,
            Bindings.Routine routine,
            List<Expression> arguments,
            @Nullable Bindings caller) {
        Bindings names = inside(at, routine, arguments, caller);
        List<Statement> body = routine.definition().body();
        if (!routine.definition().subQuery()
                || body.isEmpty()
                || !(body.getLast() instanceof Statement.Run(_, _, boolean discard))
                || discard) {
            throw AnalysisContext.error(
                    routine.definition().at(),
                    routine.definition().name() + " is not a subquery that ends with a query");
        }
        return rows(context, at, body, names);
    }

    /// The rows of a list of statements. The last one must be a query; the others may only be
    /// definitions and pragmas.
    static Relation rows(
            AnalysisContext context, Position at, List<Statement> body, @Nullable Bindings seen) {
        context.enter(at);
        // A PRAGMA in the body is in effect until the end of the body.
        Dialect dialect = context.dialect();
        String pathPrefix = context.pathPrefix();
        Bindings names = seen;
        for (Statement statement : body.subList(0, body.size() - 1)) {
            switch (statement) {
                case Statement.Define define -> names = defined(names, define);
                case Statement.Pragma pragma -> Pragmas.apply(pragma, context);
                default ->
                        throw AnalysisContext.error(
                                statement.at(),
                                "A subquery must consist of named expressions and one query at its"
                                        + " end");
            }
        }
        if (!(body.getLast() instanceof Statement.Run(_, Query query, boolean discard))
                || discard) {
            throw AnalysisContext.error(body.getLast().at(), "Expected a query at the end");
        }
        Relation rows = new QueryAnalyzer(context, names).analyze(query);
        context.setDialect(dialect);
        context.setPathPrefix(pathPrefix);
        context.leave();
        return rows;
    }

    /// Adds the names of the definition.
    static @Nullable Bindings defined(@Nullable Bindings names, Statement.Define define) {
        Bindings result = names;
        for (int index = 0; index < define.names().size(); index++) {
            int item = define.names().size() == 1 ? -1 : index;
            result =
                    new Bindings(
                            result,
                            define.names().get(index),
                            new Binding(define.value(), item, names));
        }
        return result;
    }
}

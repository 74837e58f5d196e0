package io.cleave.analysis;

import io.cleave.analysis.Bindings.Binding;
import io.cleave.base.Issue;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.function.call.Dialect;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedStatement.SubQuery;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.yql.Expression;
import io.cleave.yql.Expression.BinaryOperator;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/// Resolves the names that do not depend on a row: parameters, named expressions and subqueries.
/// Used directly where there is no row; scopes with rows extend it.
class BaseScope implements Scope {
    final AnalysisContext context;
    final @Nullable Bindings bindings;

    /// The name whose value is analyzed in this scope; null if the scope is not for the value of a
    /// name.
    private final @Nullable Binding named;

    /// The scope that uses that name. Columns in the value are resolved there.
    private final @Nullable BaseScope user;

    BaseScope(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
        this.named = null;
        this.user = null;
    }

    private BaseScope(AnalysisContext context, Binding named, @Nullable BaseScope user) {
        this.context = context;
        this.bindings = named.seen();
        this.named = named;
        this.user = user;
    }

    @Override
    public Dialect dialect() {
        return context.dialect();
    }

    @Override
    public void expand(Position at) {
        context.expand(at);
    }

    @Override
    public void operated(Position at, BinaryOperator operator, Typed left, Typed right) {
        context.typeWarnings().operated(at, operator, left, right);
    }

    @Override
    public Typed column(Position at, Optional<String> source, String name) {
        if (user != null) {
            return user.column(at, source, name);
        }
        // Tools match on the first line, which is the message of YDB.
        throw new StatusException(
                Status.GENERIC_ERROR,
                Issue.error("Column reference '" + name + "'")
                        .at(at)
                        .because(
                                Issue.error("There is no FROM clause that could contain it")
                                        .at(at)));
    }

    @Override
    public Typed named(Position at, String name) {
        Optional<Binding> binding = Bindings.find(bindings, name);
        if (binding.isEmpty()) {
            Type type =
                    context.parameter(name)
                            .orElseThrow(() -> AnalysisContext.error(at, "Unknown name: " + name));
            return new Typed.Parameter(type, name);
        }
        context.enter(at);
        var seen = new BaseScope(context, binding.get(), this);
        Typed value = context.expressions().analyze(binding.get().value(), seen);
        context.leave();
        int item = binding.get().item();
        return item < 0 ? value : item(at, value, item);
    }

    private static Typed item(Position at, Typed tuple, int index) {
        if (!(tuple.type() instanceof Type.Tuple(List<Type> items)) || index >= items.size()) {
            throw AnalysisContext.error(
                    at,
                    "Expected a tuple with more than "
                            + index
                            + " items, but got: "
                            + tuple.type().text());
        }
        if (tuple instanceof Typed.ItemsOf(_, List<Typed> values)) {
            return values.get(index);
        }
        return new Typed.ItemOf(items.get(index), tuple, index);
    }

    @Override
    public Optional<ScopedLambda> lambda(String name) {
        return Bindings.find(bindings, name)
                .filter(binding -> binding.value() instanceof Expression.Lambda)
                .map(
                        binding ->
                                new ScopedLambda(
                                        (Expression.Lambda) binding.value(),
                                        new BaseScope(context, binding.seen())));
    }

    @Override
    public Optional<ScopedExpression> definition(String name) {
        return Bindings.find(bindings, name)
                .filter(binding -> binding.item() < 0)
                .map(
                        binding ->
                                new ScopedExpression(
                                        binding.value(), new BaseScope(context, binding.seen())));
    }

    @Override
    public Optional<Expression.Call> partialCall(String name) {
        Optional<Binding> found =
                Bindings.find(bindings, name).filter(binding -> binding.item() < 0);
        if (found.isEmpty()
                || !(found.get().value() instanceof Expression.Call call)
                || call.module().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                call.withArguments(Bindings.written(call.arguments(), found.get().seen())));
    }

    @Override
    public Optional<ScopedQuery> query(String name) {
        return Bindings.find(bindings, name)
                .filter(binding -> binding.item() < 0)
                .filter(binding -> binding.value() instanceof Expression.SubQuery)
                .map(
                        binding ->
                                new ScopedQuery(
                                        (Expression.SubQuery) binding.value(),
                                        new BaseScope(context, binding, null)));
    }

    @Override
    public Typed aggregate(Expression.Call call) {
        throw AnalysisContext.error(
                call.at(),
                "Aggregation is not allowed in this context: aggregation function " + call.name());
    }

    @Override
    public Typed window(Expression.Call call) {
        throw AnalysisContext.error(
                call.at(), "Window function " + call.name() + " is not allowed here");
    }

    @Override
    public Typed row(Position at) {
        throw AnalysisContext.error(at, "TableRow() is not allowed where there is no FROM");
    }

    @Override
    public Typed subQuery(Expression.SubQuery query) {
        Relation rows = queryOfOneColumn(query);
        int slot = context.addSubQuery(SubQuery.Shape.SCALAR, rows);
        return new Typed.SubQueryResult(rows.fields().getFirst().type().optional(), slot);
    }

    private Relation queryOfOneColumn(Expression.SubQuery query) {
        Relation rows =
                named != null && named.value().equals(query)
                        ? context.namedQueries().rows(named, query)
                        : new QueryAnalyzer(context, bindings).analyze(query.query());
        if (rows.fields().size() != 1) {
            throw AnalysisContext.error(
                    query.at(),
                    "Expected exactly one column in the subquery, but got: "
                            + rows.fields().size());
        }
        return rows;
    }

    @Override
    public Typed exists(Expression.Exists query) {
        Relation rows = new QueryAnalyzer(context, bindings).analyze(query.query());
        int slot = context.addSubQuery(SubQuery.Shape.EXISTS, rows);
        return new Typed.SubQueryResult(Primitive.BOOL, slot);
    }

    @Override
    public Typed inSubQuery(
            Position at, Typed operand, Expression.SubQuery query, boolean negated) {
        Relation rows = queryOfOneColumn(query);
        Type itemType = rows.fields().getFirst().type();
        if (!Order.isComparable(operand.type(), itemType)) {
            throw AnalysisContext.error(
                    at, "Can't compare " + operand.type().text() + " with " + itemType.text());
        }
        int slot = context.addSubQuery(SubQuery.Shape.LIST, rows);
        boolean optional = mayBeNull(operand.type()) || mayBeNull(itemType);
        Type type = optional ? Primitive.BOOL.optional() : Primitive.BOOL;
        var list = new Typed.SubQueryResult(new Type.ListOf(itemType), slot);
        Typed in = new Typed.In(type, operand, list, dialect().has(Dialect.Option.ANSI_IN));
        return negated ? new Typed.Not(type, in) : in;
    }

    private static boolean mayBeNull(Type type) {
        return type.isOptional() || type == Type.Unit.NULL;
    }
}

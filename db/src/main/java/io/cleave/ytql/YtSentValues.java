package io.cleave.ytql;

import io.cleave.function.yt.UntypedExpression;
import io.cleave.function.yt.YtLiteral;
import io.cleave.function.yt.YtType;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Values of placeholders that are sent with each run of a query, so that one program serves all
/// values. A value becomes one parameter for each type that the query needs.
///
/// Such a value may only be an operand of a comparison, or a list of IN. Anywhere else the value
/// may decide the meaning of the query: it may be a divisor, a pattern, or the name of a column.
/// There, compiling fails. The caller then has to compile the text with the value in it, as
/// [YtPlaceholder.Text].
///
/// Threads: one, for one text.
public final class YtSentValues {
    private final Map<String, Type> parameters = new HashMap<>();

    /// The parameters of the query so far.
    Map<String, Type> parameters() {
        return parameters;
    }

    UntypedExpression untyped(YtExpression.Sent sent) {
        return UntypedExpression.of(
                types(sent.type()),
                type -> {
                    String name = name(sent.name(), type);
                    parameters.put(name, type.type());
                    return new Typed.Parameter(type.type(), name);
                });
    }

    /// Whether the operand is in the list. If a list of literals could be refused here, compiling
    /// fails and the values are needed.
    UntypedExpression in(List<Typed> operands, String placeholder, YtType literals) {
        Typed operand = operands.getFirst();
        YtType type = YtType.of(operand.type());
        if (operands.size() != 1 || !types(literals).contains(type)) {
            throw needed();
        }
        String name = listName(placeholder, type);
        var listType = new Type.ListOf(type.type());
        parameters.put(name, listType);
        return UntypedExpression.of(
                YtMembership.found(
                        operand, new Typed.Parameter(listType, name), operand.type().isOptional()));
    }

    /// The types that a literal of this type may take.
    private static Set<YtType> types(YtType type) {
        return new YtLiteral(type, Value.of(0)).types();
    }

    /// The name of a parameter. No parameter of YQL has such a name.
    private static String name(String placeholder, YtType type) {
        return "{" + placeholder + "} " + type.text();
    }

    private static String listName(String placeholder, YtType type) {
        return name(placeholder, type) + " list";
    }

    /// The error of a query that cannot be compiled without the values.
    static YtException needed() {
        return new YtException(YtCodes.GENERIC, "The value of a placeholder is needed");
    }

    /// The values of a program's parameters. `sent` has one literal for each placeholder, or a list
    /// of literals of one type. If a value does not fit into the type that the query needs, the
    /// error is the same as for a literal.
    public static Map<String, TypedValue> bound(
            Map<String, Type> parameters, Map<String, List<YtLiteral>> sent) {
        if (parameters.isEmpty()) {
            return Map.of();
        }
        Map<String, TypedValue> bound = new HashMap<>();
        sent.forEach(
                (placeholder, literals) -> {
                    for (YtType type : literals.getFirst().types()) {
                        String name = name(placeholder, type);
                        if (parameters.containsKey(name)) {
                            Value value = literals.getFirst().as(type);
                            bound.put(name, new TypedValue(type.type(), value));
                        }
                        String listName = listName(placeholder, type);
                        if (parameters.containsKey(listName)) {
                            Value items =
                                    Value.items(
                                            literals.stream()
                                                    .map(literal -> literal.as(type))
                                                    .toList());
                            bound.put(
                                    listName, new TypedValue(new Type.ListOf(type.type()), items));
                        }
                    }
                });
        return bound;
    }
}

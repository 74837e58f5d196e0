package io.cleave.function.call;

import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.typed.ConstantValue;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Parser;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;
import io.cleave.yql.TypeCalls;
import io.cleave.yql.Types;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Parses arguments that are types: written out, taken from a value by TypeOf, built by ListType,
/// StructMemberType and similar functions, or a name for one of these. A type is not a value, so
/// types are allowed nowhere else.
public final class TypeExpressions {
    /// The functions that return types.
    public static final Set<String> NAMES =
            TypeCalls.and(
                    "typeof",
                    "datatype",
                    "parsetype",
                    "variantunderlyingtype",
                    "nulltype",
                    "voidtype",
                    "emptylisttype",
                    "emptydicttype",
                    "evaluatetype");

    /// The type of a type handle, which is a type as a value; see `TypeHandles`.
    public static final Type HANDLE = new Type.Tagged("_Type", Type.Primitive.STRING);

    private final CallScope scope;

    public TypeExpressions(CallScope scope) {
        this.scope = scope;
    }

    /// Empty if the expression is not a type.
    public Optional<Type> find(Expression expression) {
        if (expression instanceof Expression.TypeName(_, Type type)) {
            return Optional.of(type);
        }
        if (expression instanceof Expression.NamedValue(_, String name)) {
            return scope.definition(name).flatMap(this::named);
        }
        return expression instanceof Expression.Call call
                        && call.module().isEmpty()
                        && NAMES.contains(call.plainName())
                ? Optional.of(made(call))
                : Optional.empty();
    }

    /// The type that a name refers to. In its definition a plain word such as `Int32` is a type.
    private Optional<Type> named(CallScope.ScopedExpression defined) {
        return defined.expression()
                        instanceof Expression.ColumnName(_, Optional<String> source, String word)
                ? source.isEmpty() ? Types.find(word) : Optional.empty()
                : new TypeExpressions(defined.scope()).find(defined.expression());
    }

    private Type made(Expression.Call call) {
        return switch (call.plainName()) {
            case "typeof" -> scope.analyze(argument(call, 0)).type();
            case "datatype" -> dataType(call);
            case "parsetype" -> parsed(call.at(), text(call, 0));
            case "optionaltype" -> new Type.Optional(type(call, 0));
            case "listtype" -> new Type.ListOf(type(call, 0));
            case "settype" -> new Type.Dict(type(call, 0), Type.Unit.VOID);
            case "dicttype" -> new Type.Dict(type(call, 0), type(call, 1));
            case "tupletype" -> new Type.Tuple(types(call));
            case "structtype" -> struct(call);
            case "varianttype" -> new Type.Variant(type(call, 0));
            case "taggedtype" -> new Type.Tagged(text(call, 1), type(call, 0));
            case "nulltype" -> Type.Unit.NULL;
            case "voidtype" -> Type.Unit.VOID;
            case "emptylisttype" -> Type.Unit.EMPTY_LIST;
            case "emptydicttype" -> Type.Unit.EMPTY_DICT;
            case "evaluatetype" -> evaluated(call.at(), scope.analyze(argument(call, 0)));
            default -> part(call, type(call, 0));
        };
    }

    /// A component type of a container type.
    private Type part(Expression.Call call, Type whole) {
        String name = call.plainName();
        return switch (whole) {
            case Type.Optional(Type item) when name.equals("optionalitemtype") -> item;
            case Type.ListOf(Type item) when name.equals("listitemtype") -> item;
            case Type.Dict dict when name.equals("dictkeytype") -> dict.key();
            case Type.Dict dict when name.equals("dictpayloadtype") -> dict.payload();
            case Type.Variant(Type choices) when name.equals("variantunderlyingtype") -> choices;
            case Type.Tuple(List<Type> items) when name.equals("tupleelementtype") -> {
                String index = text(call, 1);
                boolean there =
                        index.matches("[0-9]{1,6}") && Integer.parseInt(index) < items.size();
                if (!there) {
                    throw error(call, "Wrong index of a tuple's element: " + index);
                }
                yield items.get(Integer.parseInt(index));
            }
            case Type.Struct struct when name.equals("structmembertype") -> {
                int index = struct.indexOf(text(call, 1));
                if (index < 0) {
                    throw error(call, "Member not found: " + text(call, 1));
                }
                yield struct.members().get(index).type();
            }
            default ->
                    throw error(
                            call, "%s of another type: %s".formatted(call.name(), whole.text()));
        };
    }

    private static StatusException error(Expression.Call call, String message) {
        return Errors.type(call.at(), message);
    }

    private static Expression argument(Expression.Call call, int index) {
        if (index >= call.arguments().size()) {
            throw error(call, call.name() + " has too few arguments");
        }
        return call.arguments().get(index).value();
    }

    private Type type(Expression.Call call, int index) {
        return find(argument(call, index))
                .orElseThrow(() -> error(call, "Expected type as argument of " + call.name()));
    }

    private List<Type> types(Expression.Call call) {
        var types = new ArrayList<Type>();
        for (int index = 0; index < call.arguments().size(); index++) {
            types.add(type(call, index));
        }
        return types;
    }

    private String text(Expression.Call call, int index) {
        if (scope.analyze(argument(call, index)) instanceof Typed.Constant(_, Value value)
                && (value instanceof Value.Binary || value instanceof Value.Text)) {
            return Texts.of(value);
        }
        throw error(call, "Expected literal string as argument of " + call.name());
    }

    private Type struct(Expression.Call call) {
        var members = new ArrayList<Type.Member>();
        for (int index = 0; index < call.arguments().size(); index++) {
            Optional<String> name = call.arguments().get(index).name();
            members.add(
                    new Type.Member(
                            name.orElseThrow(
                                    () ->
                                            error(
                                                    call,
                                                    "StructType requires all arguments to be"
                                                            + " named")),
                            type(call, index)));
        }
        return new Type.Struct(members);
    }

    /// `DataType("Int32")`, `DataType("Decimal", "10", "2")`.
    private Type dataType(Expression.Call call) {
        var parts = new ArrayList<String>();
        for (int index = 1; index < call.arguments().size(); index++) {
            parts.add(number(call, index));
        }
        String name = text(call, 0);
        return parsed(
                call.at(), parts.isEmpty() ? name : name + "(" + String.join(",", parts) + ")");
    }

    /// A number, which may also be given as a string.
    private String number(Expression.Call call, int index) {
        return scope.analyze(argument(call, index))
                        instanceof Typed.Constant(_, Value.Int(long number))
                ? Long.toString(number)
                : text(call, index);
    }

    /// The type that EvaluateType returns.
    private static Type evaluated(Position at, Typed handle) {
        if (!handle.type().equals(HANDLE)) {
            throw Errors.type(at, "Expected a type handle, but got: " + handle.type().text());
        }
        return ConstantValue.of(handle)
                .map(value -> parsed(at, Texts.of(value)))
                .orElseThrow(
                        () ->
                                Errors.type(
                                        at, "EvaluateType: the type is not known at compile time"));
    }

    /// Parses a type as it is written in a query.
    public static Type parsed(Position at, String text) {
        try {
            List<Statement> statements = Parser.parse("SELECT CAST(NULL AS " + text + ")");
            if (statements.size() == 1
                    && statements.getFirst() instanceof Statement.Run run
                    && run.query() instanceof Query.Select select
                    && select.items().size() == 1
                    && select.items().getFirst() instanceof Query.Item.Column column
                    && column.value()
                            instanceof
                            Expression.Cast(_, _, Expression.TypeName(_, Type type), _)) {
                return type;
            }
        } catch (StatusException _) {
            // Reported below, for this call.
        }
        throw Errors.type(at, "Unknown type: '" + text + "'");
    }
}

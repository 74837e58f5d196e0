package io.cleave.yql;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression.Argument;
import io.cleave.yql.Expression.Call;
import io.cleave.yql.Expression.NamedValue;
import io.cleave.yql.Expression.TypeName;

import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Builds types in the place of expressions. A type with a name in it, such as `List<$item>` or
/// `Decimal($p, $s)`, is known only when the name is. It becomes a call that makes the type, such
/// as `ListType($item)`.
final class TypeBuilder {
    private TypeBuilder() {}

    static Expression of(Yql.TypeContext type) {
        Position at = Places.at(type);
        if (!hasName(type)) {
            return new TypeName(at, Types.of(type));
        }
        Expression result;
        if (type.NAMED_VALUE() != null) {
            result = new NamedValue(at, Names.value(type.start));
        } else if (type.namedType() != null) {
            String name = Names.of(type.namedType().identifier());
            if (!name.equalsIgnoreCase("Decimal")) {
                throw Places.error(at, "Unknown type: '" + name + "'");
            }
            List<Yql.TypeNumberContext> numbers = type.namedType().typeNumber();
            result = decimal(at, numbers.get(0).getText(), numbers.get(1).getText());
        } else {
            result = composite(type.compositeType());
        }
        for (int wrap = Types.optionals(type); wrap > 0; wrap--) {
            result = Call.of(at, "OptionalType", List.of(result));
        }
        return result;
    }

    static Expression composite(Yql.CompositeTypeContext type) {
        Position at = Places.at(type);
        if (!hasName(type)) {
            return new TypeName(at, Types.composite(type));
        }
        List<Expression> items = type.type().stream().map(TypeBuilder::of).toList();
        return switch (type.start.getType()) {
            case Yql.OPTIONAL_OF -> Call.of(at, "OptionalType", items);
            case Yql.LIST_OF -> Call.of(at, "ListType", items);
            case Yql.SET_OF -> Call.of(at, "SetType", items);
            case Yql.DICT_OF -> Call.of(at, "DictType", items);
            case Yql.TAGGED_OF -> Call.of(at, "TaggedType", List.of(items.getFirst(), tag(type)));
            case Yql.STRUCT_OF -> struct(at, type.structType());
            case Yql.VARIANT_OF -> {
                Expression choices =
                        items.isEmpty()
                                ? struct(at, type.structType())
                                : Call.of(at, "TupleType", items);
                yield Call.of(at, "VariantType", List.of(choices));
            }
            default -> Call.of(at, "TupleType", items);
        };
    }

    private static Expression tag(Yql.CompositeTypeContext type) {
        return type.NAMED_VALUE() != null
                ? named(Places.at(type), type.NAMED_VALUE().getText())
                : text(Places.at(type), Types.tag(type.tag(0)));
    }

    private static Expression struct(Position at, List<Yql.StructTypeContext> members) {
        List<Argument> arguments = new ArrayList<>();
        for (Yql.StructTypeContext member : members) {
            arguments.add(new Argument(Optional.of(Types.tag(member.tag())), of(member.type())));
        }
        return new Call(
                at, Optional.empty(), "StructType", arguments, false, false, Optional.empty());
    }

    /// Precision and scale may be numbers or `$names`.
    static Expression decimal(Position at, String precision, String scale) {
        if (!precision.startsWith("$") && !scale.startsWith("$")) {
            return new TypeName(at, Types.decimal(at, precision, scale));
        }
        return Call.of(
                at,
                "DataType",
                List.of(text(at, "Decimal"), named(at, precision), named(at, scale)));
    }

    private static Expression named(Position at, String text) {
        return text.startsWith("$")
                ? new NamedValue(at, "$" + Names.plain(text.substring(1)))
                : text(at, text);
    }

    private static Expression text(Position at, String text) {
        return new Expression.Literal(at, Type.Primitive.STRING, Value.binary(Bytes.utf8(text)));
    }

    /// Whether the expression is one of the calls that make a type.
    static boolean isMade(Expression expression) {
        return expression instanceof Call call
                && call.module().isEmpty()
                && isMaker(call.plainName());
    }

    private static boolean hasName(ParserRuleContext context) {
        for (int index = 0; index < context.getChildCount(); index++) {
            ParseTree child = context.getChild(index);
            boolean named =
                    child instanceof TerminalNode leaf
                            ? leaf.getSymbol().getType() == Yql.NAMED_VALUE
                            : child instanceof ParserRuleContext part && hasName(part);
            if (named) {
                return true;
            }
        }
        return false;
    }

    private static boolean isMaker(String function) {
        return function.equals("datatype") || TypeCalls.COMPOSITES.contains(function);
    }
}

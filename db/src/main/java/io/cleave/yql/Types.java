package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.value.Type.Decimal;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Type.Unit;

import org.antlr.v4.runtime.Token;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Types by name; case does not matter.
public final class Types {
    private static final int MAX_OPTIONALS = 16;
    private static final Map<String, Type> BY_NAME = byName();

    private Types() {}

    private static Map<String, Type> byName() {
        Map<String, Type> types = new HashMap<>();
        for (Primitive type : Primitive.values()) {
            types.put(type.text().toLowerCase(Locale.ROOT), type);
        }
        for (Unit type : Unit.values()) {
            types.put(type.text().toLowerCase(Locale.ROOT), type);
        }
        types.put("tinyint", Primitive.INT8);
        types.put("smallint", Primitive.INT16);
        types.put("int", Primitive.INT32);
        types.put("integer", Primitive.INT32);
        types.put("bigint", Primitive.INT64);
        types.put("boolean", Primitive.BOOL);
        types.put("bytes", Primitive.STRING);
        types.put("varchar", Primitive.STRING);
        types.put("text", Primitive.UTF8);
        return Map.copyOf(types);
    }

    /// The type of a one-word name. Aliases such as `Text` are known too.
    public static Optional<Type> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name.toLowerCase(Locale.ROOT)));
    }

    static Type of(Yql.TypeContext type) {
        if (type.NAMED_VALUE() != null) {
            throw named(type.NAMED_VALUE().getSymbol());
        }
        Type result =
                type.namedType() != null
                        ? named(type.namedType())
                        : composite(type.compositeType());
        for (int wrap = optionals(type); wrap > 0; wrap--) {
            result = new Type.Optional(result);
        }
        return result;
    }

    /// How often the type is wrapped in Optional. The lexer reads `??` as one token.
    static int optionals(Yql.TypeContext type) {
        int doubled = type.COALESCE().size() + type.QUESTIONS().size();
        int wraps = type.QUESTION().size() + 2 * doubled;
        if (wraps > MAX_OPTIONALS) {
            throw Places.error(Places.at(type), "Too many question marks behind a type");
        }
        return wraps;
    }

    private static RuntimeException named(Token name) {
        return Places.error(
                Places.at(name), "A name for a type is not allowed here: " + name.getText());
    }

    private static Type named(Yql.NamedTypeContext type) {
        Position at = Places.at(type);
        if (type.identifier() == null) {
            return Unit.NULL;
        }
        String name = Names.of(type.identifier());
        boolean isDecimal = name.equalsIgnoreCase("Decimal");
        if (type.typeNumber().isEmpty()) {
            if (isDecimal) {
                throw Places.error(
                        at, "Decimal needs its precision and scale, as in Decimal(22, 9)");
            }
            return find(name).orElseThrow(() -> unknown(at, name));
        }
        if (!isDecimal) {
            throw find(name).isPresent()
                    ? Places.error(at, "Type " + name + " has no parameters")
                    : unknown(at, name);
        }
        for (Yql.TypeNumberContext number : type.typeNumber()) {
            if (number.NAMED_VALUE() != null) {
                throw named(number.start);
            }
        }
        return decimal(at, type.typeNumber(0).getText(), type.typeNumber(1).getText());
    }

    private static RuntimeException unknown(Position at, String name) {
        return Places.error(at, "Unknown type: '" + name + "'");
    }

    static Type decimal(Position at, String precision, String scale) {
        try {
            return new Decimal(Integer.parseInt(precision), Integer.parseInt(scale));
        } catch (NumberFormatException e) {
            throw Places.error(at, "Invalid decimal: Decimal(" + precision + ", " + scale + ")");
        } catch (IllegalArgumentException e) {
            throw Places.error(at, String.valueOf(e.getMessage()));
        }
    }

    static Type composite(Yql.CompositeTypeContext type) {
        List<Type> items = type.type().stream().map(Types::of).toList();
        return switch (type.start.getType()) {
            case Yql.OPTIONAL_OF -> new Type.Optional(items.getFirst());
            case Yql.LIST_OF -> new Type.ListOf(items.getFirst());
            case Yql.SET_OF -> new Type.Dict(items.getFirst(), Unit.VOID);
            case Yql.DICT_OF -> new Type.Dict(items.getFirst(), items.get(1));
            case Yql.TAGGED_OF -> {
                if (type.NAMED_VALUE() != null) {
                    throw named(type.NAMED_VALUE().getSymbol());
                }
                yield new Type.Tagged(tag(type.tag(0)), items.getFirst());
            }
            case Yql.ENUM_OF -> enumOf(type.tag());
            case Yql.TUPLE_OF -> new Type.Tuple(items);
            case Yql.STRUCT_OF -> struct(type.structType());
            case Yql.VARIANT_OF ->
                    new Type.Variant(
                            items.isEmpty() ? struct(type.structType()) : new Type.Tuple(items));
            default -> throw new IllegalStateException("not a type: " + type.start);
        };
    }

    private static Type enumOf(List<Yql.TagContext> tags) {
        List<Type.Member> names = new ArrayList<>();
        for (Yql.TagContext context : tags) {
            String name = tag(context);
            if (names.stream().anyMatch(member -> member.name().equals(name))) {
                throw Places.error(Places.at(context), "Duplicated member: " + name);
            }
            names.add(new Type.Member(name, Unit.VOID));
        }
        return new Type.Variant(new Type.Struct(names));
    }

    private static Type struct(List<Yql.StructTypeContext> members) {
        List<Type.Member> result = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Yql.StructTypeContext member : members) {
            String name = tag(member.tag());
            if (!names.add(name)) {
                throw Places.error(Places.at(member), "Duplicated member: " + name);
            }
            result.add(new Type.Member(name, of(member.type())));
        }
        return new Type.Struct(result);
    }

    static String tag(Yql.TagContext tag) {
        return tag.anyName() != null
                ? Names.of(tag.anyName())
                : Literals.name(Places.at(tag), tag.start.getText());
    }
}

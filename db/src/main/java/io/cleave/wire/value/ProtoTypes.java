package io.cleave.wire.value;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.NullValue;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import tech.ydb.proto.ValueProtos;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Converts [Type] to and from Ydb.Type.
public final class ProtoTypes {
    /// Limit of nested containers. Types are read by recursion, and a value is never nested deeper
    /// than its type.
    static final int MAX_DEPTH = 64;

    private static final Map<Integer, Primitive> BY_ID = new HashMap<>();
    private static final Map<Primitive, ValueProtos.Type> PRIMITIVES =
            new EnumMap<>(Primitive.class);
    private static final Map<Primitive, ValueProtos.Type> OPTIONAL_PRIMITIVES =
            new EnumMap<>(Primitive.class);

    static {
        for (Primitive primitive : Primitive.values()) {
            var proto = ValueProtos.Type.newBuilder().setTypeIdValue(primitive.wireId()).build();
            BY_ID.put(primitive.wireId(), primitive);
            PRIMITIVES.put(primitive, proto);
            OPTIONAL_PRIMITIVES.put(primitive, optional(proto));
        }
    }

    private ProtoTypes() {}

    /// Returns the type, or throws BAD_REQUEST that says what is wrong with it.
    public static Type fromProto(ValueProtos.Type proto) {
        return fromProto(proto, 0);
    }

    private static Type fromProto(ValueProtos.Type proto, int depth) {
        if (depth > MAX_DEPTH) {
            throw bad("Type is nested deeper than " + MAX_DEPTH);
        }
        int inner = depth + 1;
        return switch (proto.getTypeCase()) {
            case TYPE_ID -> primitive(proto.getTypeIdValue());
            case DECIMAL_TYPE -> decimal(proto.getDecimalType());
            case OPTIONAL_TYPE ->
                    new Type.Optional(fromProto(proto.getOptionalType().getItem(), inner));
            case LIST_TYPE -> new Type.ListOf(fromProto(proto.getListType().getItem(), inner));
            case TUPLE_TYPE -> tuple(proto.getTupleType(), inner);
            case STRUCT_TYPE -> struct(proto.getStructType(), inner);
            case DICT_TYPE ->
                    new Type.Dict(
                            fromProto(proto.getDictType().getKey(), inner),
                            fromProto(proto.getDictType().getPayload(), inner));
            case VARIANT_TYPE -> new Type.Variant(choices(proto.getVariantType(), inner));
            case TAGGED_TYPE ->
                    new Type.Tagged(
                            proto.getTaggedType().getTag(),
                            fromProto(proto.getTaggedType().getType(), inner));
            case VOID_TYPE -> Type.Unit.VOID;
            case NULL_TYPE -> Type.Unit.NULL;
            case EMPTY_LIST_TYPE -> Type.Unit.EMPTY_LIST;
            case EMPTY_DICT_TYPE -> Type.Unit.EMPTY_DICT;
            case PG_TYPE ->
                    throw new StatusException(
                            Status.UNSUPPORTED,
                            "PostgreSQL type is not supported: " + proto.getPgType().getTypeName());
            case TYPE_NOT_SET -> throw bad("Type is not set");
        };
    }

    private static Primitive primitive(int id) {
        Primitive primitive = BY_ID.get(id);
        if (primitive == null) {
            throw bad("Unknown primitive type id: " + id);
        }
        return primitive;
    }

    private static Type decimal(ValueProtos.DecimalType proto) {
        int precision = proto.getPrecision();
        int scale = proto.getScale();
        if (precision < 1 || precision > Type.Decimal.MAX_PRECISION) {
            throw bad("Invalid decimal precision: " + Integer.toUnsignedString(precision));
        }
        if (scale < 0 || scale > precision) {
            throw bad("Invalid decimal scale: " + Integer.toUnsignedString(scale));
        }
        return new Type.Decimal(precision, scale);
    }

    private static Type.Tuple tuple(ValueProtos.TupleType proto, int depth) {
        var items = new ArrayList<Type>(proto.getElementsCount());
        for (ValueProtos.Type element : proto.getElementsList()) {
            items.add(fromProto(element, depth));
        }
        return new Type.Tuple(items);
    }

    private static Type.Struct struct(ValueProtos.StructType proto, int depth) {
        var members = new ArrayList<Type.Member>(proto.getMembersCount());
        var names = new HashSet<String>();
        for (ValueProtos.StructMember member : proto.getMembersList()) {
            if (!names.add(member.getName())) {
                throw bad("Duplicated member: " + member.getName());
            }
            members.add(new Type.Member(member.getName(), fromProto(member.getType(), depth)));
        }
        return new Type.Struct(members);
    }

    private static Type choices(ValueProtos.VariantType proto, int depth) {
        return switch (proto.getTypeCase()) {
            case TUPLE_ITEMS -> tuple(proto.getTupleItems(), depth);
            case STRUCT_ITEMS -> struct(proto.getStructItems(), depth);
            case TYPE_NOT_SET -> throw bad("Variant type has no items");
        };
    }

    public static ValueProtos.Type toProto(Type type) {
        return switch (type) {
            case Primitive primitive -> requireNonNull(PRIMITIVES.get(primitive));
            case Type.Optional(Primitive item) -> requireNonNull(OPTIONAL_PRIMITIVES.get(item));
            case Type.Optional(Type item) -> optional(toProto(item));
            default -> container(type);
        };
    }

    private static ValueProtos.Type container(Type type) {
        var proto = ValueProtos.Type.newBuilder();
        switch (type) {
            case Primitive _, Type.Optional _ -> throw new IllegalArgumentException(type.text());
            case Type.Decimal(int precision, int scale) ->
                    proto.getDecimalTypeBuilder().setPrecision(precision).setScale(scale);
            case Type.ListOf(Type item) -> proto.getListTypeBuilder().setItem(toProto(item));
            case Type.Tuple tuple -> proto.setTupleType(tupleProto(tuple.items()));
            case Type.Struct struct -> proto.setStructType(structProto(struct.members()));
            case Type.Dict(Type key, Type payload) ->
                    proto.getDictTypeBuilder().setKey(toProto(key)).setPayload(toProto(payload));
            case Type.Variant(Type choices) -> {
                if (choices instanceof Type.Struct struct) {
                    proto.getVariantTypeBuilder().setStructItems(structProto(struct.members()));
                } else {
                    List<Type> items = ((Type.Tuple) choices).items();
                    proto.getVariantTypeBuilder().setTupleItems(tupleProto(items));
                }
            }
            case Type.Tagged(String tag, Type base) ->
                    proto.getTaggedTypeBuilder().setTag(tag).setType(toProto(base));
            case Type.Unit unit -> {
                switch (unit) {
                    case VOID -> proto.setVoidType(NullValue.NULL_VALUE);
                    case NULL -> proto.setNullType(NullValue.NULL_VALUE);
                    case EMPTY_LIST -> proto.setEmptyListType(NullValue.NULL_VALUE);
                    case EMPTY_DICT -> proto.setEmptyDictType(NullValue.NULL_VALUE);
                }
            }
        }
        return proto.build();
    }

    private static ValueProtos.Type optional(ValueProtos.Type item) {
        var proto = ValueProtos.Type.newBuilder();
        proto.getOptionalTypeBuilder().setItem(item);
        return proto.build();
    }

    private static ValueProtos.TupleType tupleProto(List<Type> items) {
        var proto = ValueProtos.TupleType.newBuilder();
        items.forEach(item -> proto.addElements(toProto(item)));
        return proto.build();
    }

    private static ValueProtos.StructType structProto(List<Type.Member> members) {
        var proto = ValueProtos.StructType.newBuilder();
        for (int index : MemberOrder.of(members)) {
            Type.Member member = members.get(index);
            proto.addMembersBuilder().setName(member.name()).setType(toProto(member.type()));
        }
        return proto.build();
    }

    private static StatusException bad(String message) {
        return new StatusException(Status.BAD_REQUEST, message);
    }
}

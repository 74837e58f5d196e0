package io.cleave.wire.value;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.value.Type;
import io.cleave.value.Value;

import tech.ydb.proto.ValueProtos;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Reads the parts that many requests share: parameters, time limits, paths.
public final class RequestParts {
    /// YDB's limit of all parameters of a request.
    static final long MAX_PARAMETER_BYTES = 50L << 20;

    private RequestParts() {}

    /// The types alone: a plan is looked up by the types, and the values can be many.
    public static Map<String, Type> types(Map<String, ValueProtos.TypedValue> sent) {
        if (sent.isEmpty()) {
            return Map.of();
        }
        if (sent.size() == 1) {
            var only = sent.entrySet().iterator().next();
            return Map.of(only.getKey(), ProtoTypes.fromProto(only.getValue().getType()));
        }
        Map<String, Type> types = HashMap.newHashMap(sent.size());
        sent.forEach((name, value) -> types.put(name, ProtoTypes.fromProto(value.getType())));
        return types;
    }

    /// `types` is what [#types] returned for the same parameters.
    public static Map<String, TypedValue> parameters(
            Map<String, ValueProtos.TypedValue> sent, Map<String, Type> types) {
        if (sent.isEmpty()) {
            return Map.of();
        }
        Map<String, TypedValue> parameters = HashMap.newHashMap(sent.size());
        long bytesAtMost = 0;
        for (var parameter : sent.entrySet()) {
            String name = parameter.getKey();
            var reader = new ProtoValueReader(name);
            Type type = Objects.requireNonNull(types.get(name));
            Value value = reader.read(type, parameter.getValue().getValue());
            parameters.put(name, new TypedValue(type, value));
            bytesAtMost += reader.bytesAtMost();
        }
        // The exact size takes longer to compute than all values take to read.
        if (bytesAtMost > MAX_PARAMETER_BYTES) {
            checkBytes(sent);
        }
        return parameters;
    }

    private static void checkBytes(Map<String, ValueProtos.TypedValue> sent) {
        long bytes = 0;
        for (ValueProtos.TypedValue parameter : sent.values()) {
            bytes += parameter.getValue().getSerializedSize();
        }
        if (bytes > MAX_PARAMETER_BYTES) {
            throw bad(
                    "Parameters have %d bytes, the limit is %d"
                            .formatted(bytes, MAX_PARAMETER_BYTES));
        }
    }

    public static TypedValue typedValue(ValueProtos.TypedValue sent, String what) {
        Type type = ProtoTypes.fromProto(sent.getType());
        return new TypedValue(type, ProtoValues.fromProto(type, sent.getValue(), what));
    }

    /// The rows of BulkUpsert. Any member may be NULL, whatever its type says: SDKs take the type
    /// of all rows from the first row. NOT NULL columns are checked later.
    public static TypedValue rows(ValueProtos.TypedValue sent) {
        Type type = withOptionalMembers(ProtoTypes.fromProto(sent.getType()));
        return new TypedValue(type, ProtoValues.fromProto(type, sent.getValue(), "rows"));
    }

    private static Type withOptionalMembers(Type rows) {
        if (!(rows instanceof Type.ListOf(Type.Struct(List<Type.Member> members)))) {
            return rows;
        }
        return new Type.ListOf(
                new Type.Struct(
                        members.stream()
                                .map(m -> new Type.Member(m.name(), orNull(m.type())))
                                .toList()));
    }

    private static Type orNull(Type type) {
        return type.isOptional() || type == Type.Unit.NULL ? type : type.optional();
    }

    /// The absolute path, without empty elements. A path that does not begin with a slash or with
    /// the database's name is relative to the database.
    public static String path(String sent, String database) {
        if (sent.isEmpty()) {
            throw bad("Path is not set");
        }
        StringBuilder path = new StringBuilder();
        for (String element : sent.split("/")) {
            if (!element.isEmpty()) {
                path.append('/').append(element);
            }
        }
        boolean absolute =
                sent.startsWith("/")
                        || path.toString().equals(database)
                        || path.toString().startsWith(database + "/");
        if (path.isEmpty()) {
            return "/";
        }
        return absolute ? path.toString() : database + path;
    }

    public static StatusException bad(String message) {
        return new StatusException(Status.BAD_REQUEST, Issue.error(Issue.BAD_REQUEST, message));
    }

    /// The answer to a request for a feature that does not exist yet.
    public static StatusException unsupported(String what) {
        return new StatusException(
                Status.UNSUPPORTED, Issue.error(Issue.UNSUPPORTED, what + " is not supported"));
    }
}

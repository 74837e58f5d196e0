package io.cleave.wire.value;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Which fields of requests have a meaning here; see [RequestFieldLists]. A request that sets a
/// field which is not honoured is refused with the field's name. No field is ignored silently.
///
/// Requests of frequent calls are not checked field by field. The code that reads them checks for
/// what they must not contain.
public final class RequestFields {
    enum Use {
        HONOURED,
        REFUSED,
        WITHOUT_EFFECT
    }

    /// Types and values are read as a whole; their readers refuse what they do not know.
    private static final Set<String> READ_AS_A_WHOLE =
            Set.of("Ydb.Type", "Ydb.Value", "Ydb.TypedValue");

    private static final String FOREIGN = "google.protobuf.";

    private static final Map<String, String> WITHOUT_EFFECT =
            reasons(RequestFieldLists.WITHOUT_EFFECT);

    private static final Map<String, Use> USES = uses();

    private RequestFields() {}

    /// Refuses the request if it sets a field that is not honoured.
    public static void check(Message request) {
        for (Map.Entry<FieldDescriptor, Object> set : request.getAllFields().entrySet()) {
            FieldDescriptor field = set.getKey();
            switch (use(field).orElse(Use.REFUSED)) {
                case WITHOUT_EFFECT -> {}
                case REFUSED ->
                        throw RequestParts.unsupported(
                                "Field '%s' of %s"
                                        .formatted(
                                                field.getName(),
                                                field.getContainingType().getName()));
                case HONOURED -> {
                    if (isWalked(field)) {
                        inner(field, set.getValue()).forEach(RequestFields::check);
                    }
                }
            }
        }
    }

    @SuppressWarnings("unchecked") // a repeated message field is a list of messages
    private static List<Message> inner(FieldDescriptor field, Object value) {
        return field.isRepeated() ? (List<Message>) value : List.of((Message) value);
    }

    /// Empty if the field is in no list.
    static Optional<Use> use(FieldDescriptor field) {
        Use use = USES.get(field.getFullName());
        return Optional.ofNullable(use == null ? USES.get("*." + field.getName()) : use);
    }

    /// Whether the fields inside this field are listed one by one.
    static boolean isWalked(FieldDescriptor field) {
        return field.getJavaType() == JavaType.MESSAGE
                && !field.isMapField()
                && !field.getMessageType().getFullName().startsWith(FOREIGN)
                && !READ_AS_A_WHOLE.contains(field.getMessageType().getFullName());
    }

    static boolean isRefusedCall(Descriptor request) {
        return RequestFieldLists.REFUSED_CALLS
                .lines()
                .anyMatch(name -> name.equals(request.getFullName()));
    }

    /// The fields that have no effect, each with the reason why that is harmless.
    static Map<String, String> withoutEffect() {
        return WITHOUT_EFFECT;
    }

    /// All names in the lists.
    static Set<String> names() {
        return USES.keySet();
    }

    private static Map<String, Use> uses() {
        Map<String, Use> uses = new HashMap<>();
        WITHOUT_EFFECT.keySet().forEach(name -> uses.put(name, Use.WITHOUT_EFFECT));
        put(uses, RequestFieldLists.HONOURED, Use.HONOURED);
        put(uses, RequestFieldLists.REFUSED, Use.REFUSED);
        return Map.copyOf(uses);
    }

    private static void put(Map<String, Use> uses, String list, Use use) {
        reasons(list)
                .forEach(
                        (message, fields) -> {
                            for (String field : fields.split(" ")) {
                                uses.put(message + "." + field, use);
                            }
                        });
    }

    /// Parses a list: a line that is not indented is a name, and the indented lines below it are
    /// its text.
    private static Map<String, String> reasons(String list) {
        Map<String, StringBuilder> said = new LinkedHashMap<>();
        StringBuilder last = new StringBuilder();
        for (String line : list.lines().toList()) {
            if (line.startsWith(" ")) {
                last.append(last.isEmpty() ? "" : " ").append(line.strip());
            } else {
                last = new StringBuilder();
                said.put(line, last);
            }
        }
        return said.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().toString()));
    }
}

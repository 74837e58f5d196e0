package io.cleave.schema;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The types of objects that YTsaurus' clients know. The codes are YTsaurus' own; they are part of
/// [ObjectId], and are stored on disk.
public enum ObjectType {
    TRANSACTION(1),
    ATOMIC_TABLET_TRANSACTION(2),
    NON_ATOMIC_TABLET_TRANSACTION(3),
    NESTED_TRANSACTION(4),
    LOCK(200),
    STRING_NODE(300),
    INT64_NODE(301),
    DOUBLE_NODE(302),
    MAP_NODE(303),
    BOOLEAN_NODE(305),
    UINT64_NODE(306),
    TABLE(401),
    TRANSACTION_MAP(407),
    DOMESTIC_MEDIUM(408),
    MEDIUM_MAP(409),
    ACCOUNT_MAP(414),
    USER_MAP(415),
    GROUP_MAP(416),
    LINK(417),
    DOCUMENT(421),
    LOCK_MAP(422),
    ACCOUNT(500),
    USER(501),
    GROUP(502),
    SYS_NODE(602),
    TABLET_CELL(700),
    TABLET(702),
    TABLET_MAP(703),
    TABLET_CELL_BUNDLE(706),
    TABLET_CELL_BUNDLE_MAP(707),
    TABLET_CELL_MAP(710),
    TABLET_ACTION(711),
    TABLET_ACTION_MAP(712),
    /// A view of YDB. YTsaurus has no such type; the code is ours.
    VIEW(30_001);

    private static final Map<Integer, ObjectType> BY_CODE = new HashMap<>();
    private static final Map<String, ObjectType> BY_NAME = new HashMap<>();

    static {
        for (ObjectType type : values()) {
            BY_CODE.put(type.code, type);
            BY_NAME.put(type.text(), type);
        }
    }

    private final int code;

    ObjectType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /// The name as clients write it: `map_node`.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<ObjectType> find(int code) {
        return Optional.ofNullable(BY_CODE.get(code));
    }

    public static Optional<ObjectType> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }
}

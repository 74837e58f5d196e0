package io.cleave.schema;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Who owns a path, and what was granted on it. `owner` is empty where nobody has said one;
/// `inherits` is whether what was granted above counts here too.
public record Acl(
        String owner, boolean inherits, SortedMap<String, SortedSet<String>> permissions) {
    /// Of a path of which nobody has said anything.
    public static final Acl NONE = new Acl("", true, Collections.emptySortedMap());

    /// Of the names in it.
    public static final int MAX_BYTES = 10 << 10;

    /// What its names take in UTF-8: the owner, and each subject with each of its permissions.
    public int bytes() {
        int bytes = length(owner);
        for (Map.Entry<String, SortedSet<String>> subject : permissions.entrySet()) {
            for (String permission : subject.getValue()) {
                bytes += length(subject.getKey()) + length(permission);
            }
        }
        return bytes;
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    public Acl {
        permissions = copy(permissions);
    }

    private static SortedMap<String, SortedSet<String>> copy(Map<String, SortedSet<String>> from) {
        SortedMap<String, SortedSet<String>> copy = new TreeMap<>();
        from.forEach(
                (subject, names) -> {
                    if (!names.isEmpty()) {
                        copy.put(subject, Collections.unmodifiableSortedSet(new TreeSet<>(names)));
                    }
                });
        return Collections.unmodifiableSortedMap(copy);
    }
}

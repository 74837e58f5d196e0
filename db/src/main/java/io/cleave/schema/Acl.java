package io.cleave.schema;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The owner of a path and the permissions on it. `owner` is empty if none was set. `inherits` says
/// whether permissions of the paths above apply here too.
public record Acl(
        String owner, boolean inherits, SortedMap<String, SortedSet<String>> permissions) {
    /// The list of a path for which nothing was set.
    public static final Acl NONE = new Acl("", true, Collections.emptySortedMap());

    /// The maximum total size of the names.
    public static final int MAX_BYTES = 10 << 10;

    /// The size of its names in UTF-8: the owner, and each subject once for each of its
    /// permissions.
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

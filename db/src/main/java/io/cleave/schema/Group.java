package io.cleave.schema;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// Users and other groups under one name.
public record Group(String name, SortedSet<String> members) {
    public Group {
        members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
    }
}

package io.cleave.schema;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// A named group of users and other groups.
public record Group(String name, SortedSet<String> members) {
    public Group {
        members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
    }
}

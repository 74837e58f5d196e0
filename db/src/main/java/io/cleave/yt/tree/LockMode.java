package io.cleave.yt.tree;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How a transaction holds a node. The modes are ordered by strength.
enum LockMode {
    NONE,
    SNAPSHOT,
    SHARED,
    EXCLUSIVE;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<LockMode> find(String text) {
        return Arrays.stream(values()).filter(mode -> mode.text().equals(text)).findFirst();
    }
}

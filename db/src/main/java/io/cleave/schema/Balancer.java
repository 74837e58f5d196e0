package io.cleave.schema;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The rules by which the tablets of a table are split, merged and moved.
public enum Balancer {
    /// The table's settings AUTO_PARTITIONING_….
    YDB(1),
    /// `tablet_balancer_config` of the table and of its bundle.
    YT(2);

    private final int code;

    Balancer(int code) {
        this.code = code;
    }

    /// Stored on disk.
    public int code() {
        return code;
    }

    public static Optional<Balancer> find(int code) {
        return Arrays.stream(values()).filter(balancer -> balancer.code == code).findFirst();
    }

    /// The name that users write: `ydb` or `yt`.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The balancer with this name, in any case of letters.
    public static Optional<Balancer> named(String text) {
        return Arrays.stream(values())
                .filter(balancer -> balancer.text().equalsIgnoreCase(text))
                .findFirst();
    }
}

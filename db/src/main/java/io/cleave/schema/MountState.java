package io.cleave.schema;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Whether a tablet can be read and written, as users of YTsaurus' API set it. A table that was
/// made in another way is mounted.
public enum MountState {
    MOUNTING(0),
    MOUNTED(1),
    UNMOUNTING(2),
    UNMOUNTED(3),
    FREEZING(4),
    FROZEN(5),
    UNFREEZING(6),
    FROZEN_MOUNTING(7);

    private final int code;

    MountState(int code) {
        this.code = code;
    }

    /// YTsaurus' number of the state; stored on disk.
    public int code() {
        return code;
    }

    public static Optional<MountState> find(int code) {
        return Arrays.stream(values()).filter(state -> state.code == code).findFirst();
    }

    /// The name in YTsaurus' API.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isReadable() {
        return switch (this) {
            case MOUNTED, FREEZING, FROZEN, UNFREEZING -> true;
            case MOUNTING, UNMOUNTING, UNMOUNTED, FROZEN_MOUNTING -> false;
        };
    }

    public boolean isWritable() {
        return this == MOUNTED;
    }

    public boolean isTransient() {
        return this != finished();
    }

    /// The state in which a transition ends.
    public MountState finished() {
        return switch (this) {
            case MOUNTING, MOUNTED, UNFREEZING -> MOUNTED;
            case UNMOUNTING, UNMOUNTED -> UNMOUNTED;
            case FREEZING, FROZEN, FROZEN_MOUNTING -> FROZEN;
        };
    }
}

package io.cleave.schema;

import java.util.Locale;

/// Whether a tablet can be read and written, as users of YTsaurus' API set it. A table that was
/// made in another way is mounted.
public enum TabletState {
    // The ordinals are stored on disk, and are YTsaurus' numbers.
    MOUNTING,
    MOUNTED,
    UNMOUNTING,
    UNMOUNTED,
    FREEZING,
    FROZEN,
    UNFREEZING,
    FROZEN_MOUNTING;

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
    public TabletState finished() {
        return switch (this) {
            case MOUNTING, MOUNTED, UNFREEZING -> MOUNTED;
            case UNMOUNTING, UNMOUNTED -> UNMOUNTED;
            case FREEZING, FROZEN, FROZEN_MOUNTING -> FROZEN;
        };
    }
}

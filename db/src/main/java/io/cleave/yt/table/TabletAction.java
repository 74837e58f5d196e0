package io.cleave.yt.table;

import io.cleave.schema.TabletState;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

/// A command that changes the state of tablets, and what it does in each state. Pure.
enum TabletAction {
    MOUNT("mount"),
    /// Mounts as frozen.
    MOUNT_FROZEN("mount"),
    UNMOUNT("unmount"),
    /// Unmounts in every state.
    FORCED_UNMOUNT("unmount"),
    FREEZE("freeze"),
    UNFREEZE("unfreeze"),
    /// Cancels what another command has begun.
    CANCEL("cancel");

    private final String verb;

    TabletAction(String verb) {
        this.verb = verb;
    }

    /// The state after the command, which may be the same one. Throws if the command is not allowed
    /// in the state.
    TabletState next(String tabletId, TabletState state) {
        return switch (this) {
            case MOUNT ->
                    switch (state) {
                        case UNMOUNTED -> TabletState.MOUNTING;
                        case MOUNTED, MOUNTING, UNFREEZING -> state;
                        case UNMOUNTING, FREEZING, FROZEN, FROZEN_MOUNTING ->
                                throw refused(tabletId, state);
                    };
            case MOUNT_FROZEN ->
                    switch (state) {
                        case UNMOUNTED -> TabletState.FROZEN_MOUNTING;
                        case FROZEN, FREEZING, FROZEN_MOUNTING -> state;
                        case MOUNTED, MOUNTING, UNMOUNTING, UNFREEZING ->
                                throw refused(tabletId, state);
                    };
            case UNMOUNT ->
                    switch (state) {
                        case MOUNTED, FROZEN -> TabletState.UNMOUNTING;
                        case UNMOUNTED, UNMOUNTING -> state;
                        case MOUNTING, FREEZING, UNFREEZING, FROZEN_MOUNTING ->
                                throw refused(tabletId, state);
                    };
            case FORCED_UNMOUNT ->
                    state == TabletState.UNMOUNTED ? state : TabletState.UNMOUNTING;
            case FREEZE ->
                    switch (state) {
                        case MOUNTED -> TabletState.FREEZING;
                        case FREEZING, FROZEN, FROZEN_MOUNTING -> state;
                        case MOUNTING, UNMOUNTING, UNMOUNTED, UNFREEZING ->
                                throw refused(tabletId, state);
                    };
            case UNFREEZE ->
                    switch (state) {
                        case FROZEN -> TabletState.UNFREEZING;
                        case MOUNTED, UNFREEZING -> state;
                        case MOUNTING, UNMOUNTING, UNMOUNTED, FREEZING, FROZEN_MOUNTING ->
                                throw refused(tabletId, state);
                    };
            case CANCEL ->
                    switch (state) {
                        case UNMOUNTING, FREEZING -> TabletState.MOUNTED;
                        case MOUNTED, UNMOUNTED, FROZEN -> state;
                        case MOUNTING, UNFREEZING, FROZEN_MOUNTING ->
                                throw new YtException(
                                        YtCodes.GENERIC,
                                        "Cannot cancel transition of tablet %s in state \"%s\""
                                                .formatted(tabletId, state.text()));
                    };
        };
    }

    private YtException refused(String tabletId, TabletState state) {
        return new YtException(
                YtCodes.GENERIC,
                "Cannot %s tablet %s in \"%s\" state".formatted(verb, tabletId, state.text()));
    }
}

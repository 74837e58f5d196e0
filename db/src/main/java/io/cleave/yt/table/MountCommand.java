package io.cleave.yt.table;

import io.cleave.schema.MountState;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

/// A command that changes the state of tablets, and what it does in each state. Pure.
enum MountCommand {
    MOUNT("mount"),
    /// Mounts tablets in the frozen state.
    MOUNT_FROZEN("mount"),
    UNMOUNT("unmount"),
    /// Unmounts tablets in every state.
    FORCED_UNMOUNT("unmount"),
    FREEZE("freeze"),
    UNFREEZE("unfreeze"),
    /// Cancels a change that another command has begun.
    CANCEL("cancel");

    private final String verb;

    MountCommand(String verb) {
        this.verb = verb;
    }

    /// The state after the command. It may be the same state. Throws if the command is not allowed
    /// in the state.
    MountState next(String tabletId, MountState state) {
        return switch (this) {
            case MOUNT ->
                    switch (state) {
                        case UNMOUNTED -> MountState.MOUNTING;
                        case MOUNTED, MOUNTING, UNFREEZING -> state;
                        case UNMOUNTING, FREEZING, FROZEN, FROZEN_MOUNTING ->
                                throw refused(tabletId, state);
                    };
            case MOUNT_FROZEN ->
                    switch (state) {
                        case UNMOUNTED -> MountState.FROZEN_MOUNTING;
                        case FROZEN, FREEZING, FROZEN_MOUNTING -> state;
                        case MOUNTED, MOUNTING, UNMOUNTING, UNFREEZING ->
                                throw refused(tabletId, state);
                    };
            case UNMOUNT ->
                    switch (state) {
                        case MOUNTED, FROZEN -> MountState.UNMOUNTING;
                        case UNMOUNTED, UNMOUNTING -> state;
                        case MOUNTING, FREEZING, UNFREEZING, FROZEN_MOUNTING ->
                                throw refused(tabletId, state);
                    };
            case FORCED_UNMOUNT -> state == MountState.UNMOUNTED ? state : MountState.UNMOUNTING;
            case FREEZE ->
                    switch (state) {
                        case MOUNTED -> MountState.FREEZING;
                        case FREEZING, FROZEN, FROZEN_MOUNTING -> state;
                        case MOUNTING, UNMOUNTING, UNMOUNTED, UNFREEZING ->
                                throw refused(tabletId, state);
                    };
            case UNFREEZE ->
                    switch (state) {
                        case FROZEN -> MountState.UNFREEZING;
                        case MOUNTED, UNFREEZING -> state;
                        case MOUNTING, UNMOUNTING, UNMOUNTED, FREEZING, FROZEN_MOUNTING ->
                                throw refused(tabletId, state);
                    };
            case CANCEL ->
                    switch (state) {
                        case UNMOUNTING, FREEZING -> MountState.MOUNTED;
                        case MOUNTED, UNMOUNTED, FROZEN -> state;
                        case MOUNTING, UNFREEZING, FROZEN_MOUNTING ->
                                throw new YtException(
                                        YtCodes.GENERIC,
                                        "Cannot cancel transition of tablet %s in state \"%s\""
                                                .formatted(tabletId, state.text()));
                    };
        };
    }

    private YtException refused(String tabletId, MountState state) {
        return new YtException(
                YtCodes.GENERIC,
                "Cannot %s tablet %s in \"%s\" state".formatted(verb, tabletId, state.text()));
    }
}

package io.cleave.log;

import io.cleave.base.Env;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Commits a group on a disk that may be full. Retries until there is room, and notifies listeners
/// repeatedly meanwhile.
///
/// Threads: one commits; any may call the other methods.
final class RoomWait {
    /// The interval between two attempts on a full disk.
    private static final Duration RETRY = Duration.ofMillis(200);

    private static final System.Logger LOGGER = System.getLogger(RoomWait.class.getName());

    private final Env env;

    /// The name of the thread that notifies listeners.
    private final String name;

    private volatile Optional<String> stall = Optional.empty();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    RoomWait(Env env, String name) {
        this.env = env;
        this.name = name;
    }

    /// Why the commit waits; empty while there is room.
    Optional<String> stall() {
        return stall;
    }

    void listen(Consumer<String> listener) {
        listeners.add(listener);
    }

    /// Commits the group. Throws [NoRoomException] if the writer ends before there is room.
    void commit(Journal journal, RecordGroup group, BooleanSupplier isEnded) throws IOException {
        boolean isWritten = false;
        while (!isWritten) {
            try {
                journal.commit(group.firstPosition, group.records);
                isWritten = true;
            } catch (NoRoomException e) {
                begin(e);
                if (isEnded.getAsBoolean()) {
                    throw e;
                }
                sleep();
            }
        }
        if (stall.isPresent()) {
            stall = Optional.empty();
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "there is room on the disk again; the log continues");
        }
    }

    /// Ends the stall, because the commit was abandoned.
    void giveUp() {
        stall = Optional.empty();
    }

    private void begin(NoRoomException reason) {
        if (stall.isPresent()) {
            return;
        }
        String why =
                "the disk of the log is full (%s); free some space, and the log continues by itself"
                        .formatted(reason.getMessage());
        LOGGER.log(System.Logger.Level.ERROR, why);
        stall = Optional.of(why);
        // Not on the log's thread: a listener may close the writer, and then waits for that thread.
        env.spawn(name, () -> tell(why));
    }

    private void tell(String why) {
        while (stall.isPresent()) {
            listeners.forEach(listener -> listener.accept(why));
            sleep();
        }
    }

    private void sleep() {
        try {
            env.sleep(RETRY);
        } catch (InterruptedException e) {
            // These threads are not expected to be interrupted; an interrupt only shortens the
            // sleep.
        }
    }
}

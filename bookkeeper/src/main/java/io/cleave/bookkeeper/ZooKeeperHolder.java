package io.cleave.bookkeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/// The process that holds a lease, in its encoded form: `HOST MACHINE PID STARTED ID`.
///
/// @param host for messages only: two machines may have the same name
/// @param machine the scope in which process ids are unique: the boot of a kernel and its namespace
///   of process ids; [#UNKNOWN] if it cannot be determined
/// @param started when the process began, in kernel ticks since the boot, because another process
///   may get the same process id later. Wall time is not suitable, because it can be set.
/// @param id of this lease; unique
record ZooKeeperHolder(String host, String machine, long pid, long started, String id) {
    static final String UNKNOWN = "-";

    private static final Path PROCESSES = Path.of("/proc");

    /// The index of the start time among the words of `/proc/PID/stat` after the program's name,
    /// which may contain spaces. The first of these words is the third of the file, and the start
    /// time is the 22nd.
    private static final int STARTED_WORD = 22 - 3;

    static ZooKeeperHolder here() {
        long pid = ProcessHandle.current().pid();
        long started = -1;
        String machine = thisMachine();
        try {
            started = started(pid);
        } catch (IOException | RuntimeException e) {
            machine = UNKNOWN;
        }
        return new ZooKeeperHolder(hostName(), machine, pid, started, UUID.randomUUID().toString());
    }

    static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    static String thisMachine() {
        try {
            String boot = Files.readString(PROCESSES.resolve("sys/kernel/random/boot_id")).strip();
            Path namespace = Files.readSymbolicLink(PROCESSES.resolve("self/ns/pid"));
            return boot + "/" + namespace.getFileName();
        } catch (IOException | RuntimeException e) {
            return UNKNOWN;
        }
    }

    private static long started(long pid) throws IOException {
        String text = Files.readString(PROCESSES.resolve(pid + "/stat"));
        String[] words = text.substring(text.lastIndexOf(')') + 1).strip().split(" ");
        return Long.parseLong(words[STARTED_WORD]);
    }

    String encode() {
        return "%s %s %d %d %s".formatted(host, machine, pid, started, id);
    }

    static Optional<ZooKeeperHolder> decode(String text) {
        String[] words = text.split(" ", -1);
        try {
            return Optional.of(
                    new ZooKeeperHolder(
                            words[0],
                            words[1],
                            Long.parseLong(words[2]),
                            Long.parseLong(words[3]),
                            words[4]));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /// Whether it was a process of this machine that has ended. Then nobody needs to wait until its
    /// session expires.
    boolean isKnownDead() {
        if (machine.equals(UNKNOWN) || !machine.equals(thisMachine())) {
            return false;
        }
        try {
            return started(pid) != started;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "process %d on %s".formatted(pid, host);
    }
}

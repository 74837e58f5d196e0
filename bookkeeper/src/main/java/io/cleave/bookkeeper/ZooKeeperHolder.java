package io.cleave.bookkeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/// The process that holds a lease, as it writes itself down: `HOST MACHINE PID STARTED ID`.
///
/// @param host for people: two machines may have the same name
/// @param machine where process numbers mean the same: the boot of a kernel and the namespace of
///   process numbers in it; [#UNKNOWN] where it cannot be told
/// @param started when the process began, in the kernel's ticks since its boot: another one may get
///   its number later. Wall time would not do, for it can be set.
/// @param id of this one lease; no other ever has it
record ZooKeeperHolder(String host, String machine, long pid, long started, String id) {
    static final String UNKNOWN = "-";

    private static final Path PROCESSES = Path.of("/proc");

    /// The words of `/proc/PID/stat` after the program's name, which may have spaces itself: the
    /// first is the third of all, and the start is the 22nd.
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

    /// Whether it was a process of this machine that is no more: nobody need wait for its session.
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

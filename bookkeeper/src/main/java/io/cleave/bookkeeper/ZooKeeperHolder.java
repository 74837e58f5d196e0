package io.cleave.bookkeeper;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.UUID;

/// The process that holds a lease, as it writes itself down: `HOST PID STARTED ID`.
///
/// @param startedMillis when the process began: another one may get its number later
/// @param id of this one lease; no other ever has it
record ZooKeeperHolder(String host, long pid, long startedMillis, String id) {
    static ZooKeeperHolder here() {
        ProcessHandle process = ProcessHandle.current();
        return new ZooKeeperHolder(
                hostName(), process.pid(), started(process), UUID.randomUUID().toString());
    }

    static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(instant -> instant.toEpochMilli()).orElse(0L);
    }

    String encode() {
        return "%s %d %d %s".formatted(host, pid, startedMillis, id);
    }

    static Optional<ZooKeeperHolder> decode(String text) {
        String[] words = text.split(" ", -1);
        try {
            return Optional.of(
                    new ZooKeeperHolder(
                            words[0],
                            Long.parseLong(words[1]),
                            Long.parseLong(words[2]),
                            words[3]));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /// Whether it was a process of this machine that is no more: nobody need wait for its session.
    boolean isKnownDead() {
        if (!host.equals(hostName())) {
            return false;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        return process.isEmpty() || started(process.get()) != startedMillis;
    }

    @Override
    public String toString() {
        return "process %d on %s".formatted(pid, host);
    }
}

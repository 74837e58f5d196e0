package io.cleave.bookkeeper.dev;

import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.bookkeeper.BookKeeperSettings;
import io.cleave.bookkeeper.dev.Member.Kind;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A whole cluster on this machine, in one folder. Its processes continue when this one ends. The
/// folder lists them ([ClusterFile]) and has a file with the output of each.
///
/// Only one process at a time may change the cluster; a file lock ensures this.
public final class DevCluster implements AutoCloseable {
    public static final int MOST_BOOKIES = 9;

    /// The ZooKeeper node below which the database is.
    private static final String ROOT = "/cleave";

    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(15);
    private static final Duration STEP = Duration.ofMillis(20);

    /// Lines of the log that are shown if a process did not start.
    private static final int SHOWN_LINES = 15;

    private final Env env = new SystemEnv();
    private final Path folder;
    private final JvmCommand jvm;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final ClusterFile file;

    private DevCluster(
            Path folder, JvmCommand jvm, FileChannel lockFile, FileLock lock, ClusterFile file) {
        this.folder = folder;
        this.jvm = jvm;
        this.lockFile = lockFile;
        this.lock = lock;
        this.file = file;
    }

    /// Opens the cluster of this folder, which may still be empty.
    public static DevCluster open(Path folder, JvmCommand jvm)
            throws IOException, ClusterException {
        Files.createDirectories(folder);
        return lock(folder, jvm);
    }

    /// Opens the cluster of this folder, if there is one. Creates nothing.
    public static DevCluster openExisting(Path folder, JvmCommand jvm)
            throws IOException, ClusterException {
        if (!ClusterFile.isIn(folder)) {
            throw none(folder);
        }
        return lock(folder, jvm);
    }

    private static ClusterException none(Path folder) {
        return new ClusterException(
                "there is no cluster in " + folder + ": start one with cluster up");
    }

    private static DevCluster lock(Path folder, JvmCommand jvm)
            throws IOException, ClusterException {
        var lockFile =
                FileChannel.open(
                        folder.resolve("lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        FileLock lock = tryLock(lockFile);
        if (lock == null) {
            lockFile.close();
            throw new ClusterException(
                    "another command is at work on " + folder + ": try again when it has ended");
        }
        return new DevCluster(
                folder.toAbsolutePath(), jvm, lockFile, lock, ClusterFile.read(folder));
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException _) {
            return null;
        }
    }

    public List<Member> members() {
        return file.members();
    }

    public Member member(Kind kind, int number) throws ClusterException {
        if (members().isEmpty()) {
            throw none(folder);
        }
        return file.find(kind, number)
                .orElseThrow(
                        () ->
                                new ClusterException(
                                        "there is no %s %d: cluster status shows what there is"
                                                .formatted(kind.text(), number)));
    }

    /// The value for `start --storage`.
    public String storage() throws ClusterException {
        int bookies = file.members(Kind.BOOKIE).size();
        String quorums =
                bookies >= 3 ? "" : "?ensemble=" + bookies + "&ack-quorum=" + Math.min(2, bookies);
        return BookKeeperSettings.SCHEME
                + "localhost:"
                + member(Kind.ZOOKEEPER, 1).port()
                + ROOT
                + quorums;
    }

    /// Starts everything that is not running. Returns the time until all processes answered.
    public Duration up(int bookies, int grpcPort, int httpPort)
            throws IOException, ClusterException, InterruptedException {
        long from = env.nanoTime();
        upStorage(bookies);
        add(Kind.NODE, 1, grpcPort, httpPort);
        start(Kind.NODE, 1);
        return Duration.ofNanos(env.nanoTime() - from);
    }

    /// Starts a ZooKeeper and this many bookies, except for those that are running. Returns when
    /// they answer.
    public void upStorage(int bookies) throws IOException, ClusterException, InterruptedException {
        add(Kind.ZOOKEEPER, 1, 0, 0);
        for (int number = 1; number <= bookies; number++) {
            add(Kind.BOOKIE, number, 0, 0);
        }
        List<Member> started = new ArrayList<>();
        for (Member member : members()) {
            if (member.kind() != Kind.NODE && member.process().isEmpty()) {
                started.add(launch(member));
            }
        }
        for (Member member : started) {
            awaitReady(member);
        }
    }

    private void add(Kind kind, int number, int port, int httpPort) throws IOException {
        if (file.find(kind, number).isEmpty()) {
            int chosen = port == 0 ? freePort() : port;
            file.put(new Member(kind, number, chosen, httpPort));
            if (kind == Kind.NODE && httpPort == 0) {
                file.put(new Member(kind, number, chosen, freePort()));
            }
        }
    }

    /// Starts a member of the cluster again, with its data and its port.
    public Member start(Kind kind, int number)
            throws IOException, ClusterException, InterruptedException {
        Member member = member(kind, number);
        if (member.process().isPresent()) {
            return member;
        }
        Member started = launch(member);
        awaitReady(started);
        return started;
    }

    private Member launch(Member member) throws IOException, ClusterException {
        List<String> arguments =
                switch (member.kind()) {
                    case ZOOKEEPER -> List.of("zookeeper", "" + member.port(), dataOf(member));
                    case BOOKIE ->
                            List.of(
                                    "bookie",
                                    "" + member(Kind.ZOOKEEPER, 1).port(),
                                    "" + member.port(),
                                    dataOf(member));
                    case NODE ->
                            List.of(
                                    "start",
                                    "--storage",
                                    storage(),
                                    "--grpc-port",
                                    "" + member.port(),
                                    "--http-port",
                                    "" + member.httpPort());
                };
        Process process =
                new ProcessBuilder(jvm.of(member.kind(), arguments))
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectErrorStream(true)
                        .redirectOutput(member.log(folder).toFile())
                        .start();
        Member started = member.started(process.toHandle());
        file.put(started);
        return started;
    }

    private String dataOf(Member member) {
        return folder.resolve(member.name()).toString();
    }

    private void awaitReady(Member member)
            throws IOException, ClusterException, InterruptedException {
        long until = env.nanoTime() + START_PATIENCE.toNanos();
        while (Files.readAllLines(member.log(folder)).stream()
                .noneMatch(line -> line.startsWith(Ready.WORD))) {
            if (member.process().isEmpty()) {
                throw new ClusterException(member.name() + " did not start: " + endOfLog(member));
            }
            if (env.nanoTime() > until) {
                throw new ClusterException(
                        "%s is not ready after %d s: %s"
                                .formatted(
                                        member.name(),
                                        START_PATIENCE.toSeconds(),
                                        endOfLog(member)));
            }
            env.sleep(STEP);
        }
    }

    private String endOfLog(Member member) throws IOException {
        List<String> lines = Files.readAllLines(member.log(folder));
        List<String> shown = lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
        return "the end of %s is\n%s".formatted(member.log(folder), String.join("\n", shown));
    }

    /// Kills a member, as in a crash. Returns false if it was not running.
    public boolean kill(Kind kind, int number) throws ClusterException, InterruptedException {
        var process = member(kind, number).process();
        if (process.isEmpty()) {
            return false;
        }
        process.get().destroyForcibly();
        awaitEnd(process.get());
        return true;
    }

    /// Ends all processes, the last started first. The data stays.
    public void down() throws InterruptedException {
        for (Kind kind : List.of(Kind.NODE, Kind.BOOKIE, Kind.ZOOKEEPER)) {
            List<ProcessHandle> running =
                    file.members(kind).stream()
                            .flatMap(member -> member.process().stream())
                            .toList();
            running.forEach(ProcessHandle::destroy);
            for (ProcessHandle process : running) {
                if (!awaitEnd(process)) {
                    process.destroyForcibly();
                    awaitEnd(process);
                }
            }
        }
    }

    private static boolean awaitEnd(ProcessHandle process) throws InterruptedException {
        try {
            process.onExit().get(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private int freePort() throws IOException {
        return FreePort.choose(
                env.random(),
                port ->
                        members().stream()
                                .anyMatch(
                                        other -> other.port() == port || other.httpPort() == port));
    }

    /// Releases the folder. The cluster continues to run.
    @Override
    public void close() throws IOException {
        lock.release();
        lockFile.close();
    }
}

package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobWriter;
import io.cleave.bookkeeper.dev.DevCluster;
import io.cleave.bookkeeper.dev.JvmCommand;
import io.cleave.bookkeeper.dev.Member;
import io.cleave.bookkeeper.dev.Member.Kind;
import io.cleave.log.LogOptions;

import org.apache.bookkeeper.meta.zk.ZKMetadataClientDriver;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// What the log and the blobs do while processes of a real cluster are killed, paused and starved.
/// Each test ends with a look at everything that was acknowledged.
class ClusterFaultsTest {
    /// Ledgers are ended often, so that each fault meets a change of ledgers too.
    private static final LogOptions OPTIONS = new LogOptions(4L << 20, 1L << 20);

    private static final Duration SESSION = Duration.ofSeconds(4);

    /// How long a writer is asleep: longer than its session. `-Dpause=60` gives it a minute.
    private static final Duration PAUSE =
            Duration.ofSeconds(Integer.getInteger("pause", (int) SESSION.toSeconds() + 2));

    private static final int BOOKIES = 3;

    @TempDir static Path folder;

    private static DevCluster cluster;
    private static int roots;

    private TestClients clients;
    private String path;

    @BeforeAll
    static void up() throws Exception {
        cluster = DevCluster.open(folder, JvmCommand.ofThisProcess("none"));
        // When the tests are broken off, too.
        Runtime.getRuntime().addShutdownHook(new Thread(ClusterFaultsTest::killAll));
        cluster.upStorage(BOOKIES);
    }

    @AfterAll
    static void down() throws Exception {
        cluster.down();
        cluster.close();
    }

    private static void killAll() {
        for (Member member : cluster.members()) {
            member.process().ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @BeforeEach
    void connect() throws Exception {
        roots++;
        path = "/faults-" + roots + "/log";
        clients = TestClients.open(BookKeeperSettings.parse(storage()));
    }

    @AfterEach
    void disconnect() throws Exception {
        for (Member member : cluster.members()) {
            member.process().ifPresent(process -> signal("CONT", process));
            if (member.number() <= BOOKIES) {
                cluster.start(member.kind(), member.number());
            }
        }
        clients.close();
    }

    private static String storage() throws Exception {
        return cluster.storage() + "?session-seconds=" + SESSION.toSeconds();
    }

    private LogLoad load() {
        return new LogLoad(clients.log(path, OPTIONS).openWriter());
    }

    /// As another process would find the log.
    private void check(LogLoad load) throws Exception {
        try (var others = TestClients.open(clients.settings())) {
            load.check(others.log(path, OPTIONS));
        }
    }

    @Test
    void writesGoOnWhenABookieIsKilled() throws Exception {
        try (var load = load()) {
            load.awaitMore(2000);
            load.longestGap();
            cluster.kill(Kind.BOOKIE, 1);
            // More than one ledger holds: a new one does without the dead bookie.
            load.awaitMore(10_000);
            print("a bookie was killed", load);
            cluster.start(Kind.BOOKIE, 1);
            load.awaitMore(6000);
            load.close();
            check(load);
        }
    }

    @Test
    void writesWaitWhileTwoOfThreeBookiesAreDownAndThenGoOn() throws Exception {
        try (var load = load();
                var blobs = clients.blobs("/faults-" + roots + "/blobs")) {
            load.awaitMore(2000);
            long id = write(blobs, 1 << 20);
            BlobReader reader = blobs.open(id);
            cluster.kill(Kind.BOOKIE, 1);
            cluster.kill(Kind.BOOKIE, 2);
            Thread.sleep(1000);
            int before = load.count();
            Thread.sleep(2000);
            assertThat(load.count()).isEqualTo(before);
            assertThat(load.failure()).isNull();
            // One copy is enough for reading.
            assertThat(reader.read(0, 1 << 20).remaining()).isEqualTo(1 << 20);
            assertThatThrownBy(() -> write(blobs, 1 << 20))
                    .isInstanceOf(UncheckedIOException.class);
            cluster.start(Kind.BOOKIE, 1);
            load.awaitMore(2000);
            cluster.start(Kind.BOOKIE, 2);
            load.awaitMore(2000);
            load.close();
            check(load);
            assertThat(blobs.open(write(blobs, 1 << 20)).size()).isEqualTo(1 << 20);
        }
    }

    @Test
    void aWriterThatSleptWhileAnotherTookOverAppendsNothingMore() throws Exception {
        Path output = folder.resolve("rival.out");
        Process rival = rival(output);
        try {
            Acks acks = Acks.await(output, 3000);
            signal("STOP", rival.toHandle());
            long until = System.nanoTime() + PAUSE.toNanos();
            try (var load = load()) {
                assertThat(load.epoch()).isGreaterThan(acks.epoch());
                load.awaitMore(3000);
                Thread.sleep(Math.max(0, (until - System.nanoTime()) / 1_000_000));
                signal("CONT", rival.toHandle());
                load.awaitMore(3000);
                assertThat(rival.waitFor(30, TimeUnit.SECONDS)).isTrue();
                load.close();
                check(load);
                Acks all = Acks.read(output);
                assertThat(all.isFenced()).isTrue();
                try (var others = TestClients.open(clients.settings())) {
                    all.check(others.log(path, OPTIONS));
                }
            }
        } finally {
            rival.destroyForcibly().waitFor();
        }
    }

    private Process rival(Path output) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RivalWriter.class.getName(),
                        storage(),
                        path)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    @Test
    void writesGoOnWhileZooKeeperIsRestarted() throws Exception {
        try (var load = load()) {
            load.awaitMore(2000);
            load.longestGap();
            cluster.kill(Kind.ZOOKEEPER, 1);
            cluster.start(Kind.ZOOKEEPER, 1);
            // A change of ledgers needs it.
            load.awaitMore(10_000);
            print("ZooKeeper was restarted", load);
            load.close();
            check(load);
        }
    }

    @Test
    void writesGoOnWhenTheSessionsHaveExpired() throws Exception {
        try (var load = load()) {
            load.awaitMore(2000);
            long own = ownSession().getSessionId();
            long bookKeepers = bookKeepersSession().getSessionId();
            assertThat(own).isNotEqualTo(bookKeepers);
            expire(ownSession());
            expire(bookKeepersSession());
            // A change of ledgers needs both.
            load.awaitMore(10_000);
            awaitOther(own, this::ownSession);
            awaitOther(bookKeepers, this::bookKeepersSession);
            load.awaitMore(10_000);
            load.close();
            check(load);
        }
    }

    private ZooKeeper ownSession() throws Exception {
        return clients.zooKeeper().getZookeeperClient().getZooKeeper();
    }

    private ZooKeeper bookKeepersSession() {
        var client = (org.apache.bookkeeper.client.BookKeeper) clients.bookKeeper();
        return ((ZKMetadataClientDriver) client.getMetadataClientDriver()).getZk();
    }

    /// Whoever has a session's password may end it.
    private void expire(ZooKeeper session) throws Exception {
        var connected = new CountDownLatch(1);
        try (var twin =
                new ZooKeeper(
                        clients.settings().servers(),
                        (int) SESSION.toMillis(),
                        event -> {
                            if (event.getState() == KeeperState.SyncConnected) {
                                connected.countDown();
                            }
                        },
                        session.getSessionId(),
                        session.getSessionPasswd())) {
            assertThat(connected.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(twin.getState().isConnected()).isTrue();
        }
    }

    private static void awaitOther(long ended, Callable<ZooKeeper> session) throws Exception {
        for (int tries = 0; tries < 300; tries++) {
            long id = session.call().getSessionId();
            if (id != ended && id != 0) {
                return;
            }
            Thread.sleep(100);
        }
        fail("session %x has not ended", ended);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "only there a running process can be limited")
    void writesGoOnWhenABookieEndsBecauseItsDiskIsFull() throws Exception {
        ProcessHandle bookie = cluster.member(Kind.BOOKIE, 2).process().orElseThrow();
        try (var load = load()) {
            load.awaitMore(2000);
            load.longestGap();
            // No file of it may grow beyond this: what a full disk answers, to one process only.
            assertThat(run("prlimit", "--pid", "" + bookie.pid(), "--fsize=1000000"))
                    .as("prlimit, of util-linux, is needed")
                    .isZero();
            load.awaitMore(10_000);
            print("a bookie's disk was full", load);
            // It can write its journal no more, and so it ends.
            bookie.onExit().get(30, TimeUnit.SECONDS);
            cluster.start(Kind.BOOKIE, 2);
            load.awaitMore(2000);
            load.close();
            check(load);
        }
    }

    @Test
    void writesGoOnWhenABookieTakesNoMoreBecauseItsDiskIsFull() throws Exception {
        // One more: its folder for ledgers is on a disk that others leave alone.
        int number = BOOKIES + 1;
        try (var disk = AlmostFullDisk.make(folder)) {
            Files.writeString(folder.resolve("bookie-" + number + ".conf"), disk.bookieSettings());
            cluster.upStorage(number);
            try (var load = load()) {
                load.awaitMore(4000);
                load.longestGap();
                disk.fill();
                awaitReadOnly(number, true);
                load.awaitMore(10_000);
                print("a bookie took no more", load);
                disk.empty();
                awaitReadOnly(number, false);
                load.awaitMore(4000);
                load.close();
                check(load);
            } finally {
                cluster.kill(Kind.BOOKIE, number);
            }
        }
    }

    private void awaitReadOnly(int bookie, boolean isExpected) throws Exception {
        String name = "127.0.0.1:" + cluster.member(Kind.BOOKIE, bookie).port();
        String node = clients.settings().ledgersRoot() + "/available/readonly/" + name;
        for (int tries = 0; tries < 300; tries++) {
            if ((clients.zooKeeper().checkExists().forPath(node) != null) == isExpected) {
                return;
            }
            Thread.sleep(100);
        }
        fail("bookie %s: %s should be %s", name, node, isExpected ? "there" : "gone");
    }

    @Test
    void writesGoOnWhileABookieIsSlow() throws Exception {
        ProcessHandle bookie = cluster.member(Kind.BOOKIE, 3).process().orElseThrow();
        try (var load = load()) {
            load.awaitMore(2000);
            load.longestGap();
            for (int turn = 0; turn < 30; turn++) {
                signal("STOP", bookie);
                Thread.sleep(90);
                signal("CONT", bookie);
                Thread.sleep(10);
            }
            print("a bookie was slow", load);
            load.awaitMore(2000);
            load.close();
            check(load);
        }
    }

    /// How long a killed bookie may hold up writes is measured by `./cleave bench bookkeeper --only
    /// faults`; here it is only told.
    private static void print(String fault, LogLoad load) {
        System.out.printf(
                "%s: nothing was acknowledged for %d ms at most%n",
                fault, load.longestGap().toMillis());
    }

    private static long write(BookKeeperBlobs blobs, int bytes) {
        try (BlobWriter writer = blobs.create()) {
            writer.write(new byte[bytes]);
            writer.seal();
            return writer.id();
        }
    }

    private static void signal(String name, ProcessHandle process) {
        assertThat(run("kill", "-" + name, "" + process.pid())).isZero();
    }

    private static int run(String... command) {
        try {
            return new ProcessBuilder(command).start().waitFor();
        } catch (IOException e) {
            return -1;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

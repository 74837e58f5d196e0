package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.bookkeeper.BookKeeperSettings;
import io.cleave.bookkeeper.dev.DevCluster;
import io.cleave.bookkeeper.dev.JvmCommand;
import io.cleave.bookkeeper.dev.Member;
import io.cleave.bookkeeper.dev.Member.Kind;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tech.ydb.core.StatusCode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// What clients of a server see while bookies of a real cluster are down, and while the server is
/// asleep and another takes its place. Each test ends with a look, through a server that was
/// started for it, at everything that was acknowledged.
class NodeFaultsTest {
    private static final Duration SESSION = Duration.ofSeconds(4);
    private static final Duration STALL = Duration.ofSeconds(2);

    /// How long a server is asleep: longer than its session. `-Dpause=60` gives it a minute.
    private static final Duration PAUSE =
            Duration.ofSeconds(Integer.getInteger("pause", (int) SESSION.toSeconds() + 2));

    @TempDir static Path folder;

    private static DevCluster cluster;

    @BeforeAll
    static void up() throws Exception {
        cluster = DevCluster.open(folder, JvmCommand.ofThisProcess(Main.class.getName()));
        // When the tests are broken off, too.
        Runtime.getRuntime().addShutdownHook(new Thread(NodeFaultsTest::killAll));
        cluster.upStorage(3);
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

    private static BookKeeperSettings settings(String root) throws Exception {
        return BookKeeperSettings.parse(cluster.storage()).withRoot(root);
    }

    private static NodeProcess node(BookKeeperSettings settings, String output) throws Exception {
        String impatient =
                "?session-seconds=%d&stall-seconds=%d"
                        .formatted(SESSION.toSeconds(), STALL.toSeconds());
        return NodeProcess.start(folder.resolve(output), settings.name() + impatient);
    }

    @Test
    void whileTwoOfThreeBookiesAreDownWritesAreRefusedAndReadsGoOn() throws Exception {
        var settings = settings("/two-down");
        try (NodeProcess node = node(settings, "two-down.out")) {
            RowLoad.createTable(node.endpoint());
            try (var load = new RowLoad(node.endpoint(), 0).start()) {
                load.awaitMore(200);
                cluster.kill(Kind.BOOKIE, 1);
                cluster.kill(Kind.BOOKIE, 2);
                long downSince = System.nanoTime();
                load.awaitRefused(1);
                assertThat(Duration.ofNanos(System.nanoTime() - downSince))
                        .as("writes wait before they are refused")
                        .isGreaterThan(STALL.dividedBy(2));
                int before = load.count();
                load.check(load.rows());
                load.awaitRefused(20);
                assertThat(load.count()).isEqualTo(before);

                cluster.start(Kind.BOOKIE, 1);
                load.awaitMore(200);
                cluster.start(Kind.BOOKIE, 2);
                load.awaitMore(200);
                load.stop();
                load.check(load.rows());
                assertThat(node.stop()).isZero();
                load.check(rowsOfAnother(settings));
            }
        }
    }

    private static Set<Long> rowsOfAnother(BookKeeperSettings settings) throws Exception {
        try (NodeProcess node = node(settings, "another.out");
                var look = new RowLoad(node.endpoint(), 0)) {
            return look.rows();
        }
    }

    @Test
    void aServerThatSleptWhileAnotherTookOverEndsItself() throws Exception {
        var settings = settings("/asleep");
        try (NodeProcess old = node(settings, "old.out")) {
            RowLoad.createTable(old.endpoint());
            try (var before = new RowLoad(old.endpoint(), 0).start();
                    var late = new RowLoad(old.endpoint(), 2_000_000)) {
                before.awaitMore(200);
                assertThat(late.write()).isEqualTo(StatusCode.SUCCESS);
                old.suspend();
                long until = System.nanoTime() + PAUSE.toNanos();
                try (NodeProcess next = node(settings, "next.out");
                        var after = new RowLoad(next.endpoint(), 1_000_000).start()) {
                    after.awaitMore(200);
                    // It lies in the connection until the old one wakes up.
                    var tooLate = CompletableFuture.supplyAsync(late::write);
                    Thread.sleep(Math.max(0, (until - System.nanoTime()) / 1_000_000));

                    old.resume();
                    assertThat(old.awaitEnd()).isEqualTo(1);
                    assertThat(old.printed()).contains("another node has taken over");
                    assertThat(tooLate.get(60, TimeUnit.SECONDS)).isNotEqualTo(StatusCode.SUCCESS);
                    before.stop();
                    after.awaitMore(200);
                    after.stop();
                    assertThat(next.stop()).isZero();

                    Set<Long> rows = rowsOfAnother(settings);
                    before.check(rows);
                    after.check(rows);
                    late.check(rows);
                    assertThat(rows).as("what came too late").doesNotContain(2_000_001L);
                }
            }
        }
        // Those of the old server, of the next, and of the one that looked.
        assertThat(LogEntries.checkEpochs(settings)).hasSizeGreaterThanOrEqualTo(2);
    }
}

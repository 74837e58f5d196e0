package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;
import io.cleave.bookkeeper.ZooKeeperCoordination.Member;
import io.cleave.bookkeeper.ZooKeeperLease.Outcome;

import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

class ZooKeeperCoordinationTest {
    private static TestLedgers ledgers;

    private final BookKeeperSettings settings = ledgers.newSettings();
    private final List<CuratorFramework> sessions = new ArrayList<>();

    @BeforeAll
    static void start() {
        ledgers = TestLedgers.start(0);
    }

    @AfterAll
    static void stop() {
        ledgers.close();
    }

    @AfterEach
    void closeSessions() {
        sessions.forEach(CuratorFramework::close);
    }

    private ZooKeeperCoordination process() {
        CuratorFramework zooKeeper = ZooKeeperSessions.open(settings);
        sessions.add(zooKeeper);
        return new ZooKeeperCoordination(new SystemEnv(), zooKeeper, settings);
    }

    private static long session(ZooKeeperCoordination of) throws Exception {
        return of.nodes().zooKeeper().getZookeeperClient().getZooKeeper().getSessionId();
    }

    @Test
    void nodesAreThereWithTheirZonesUntilTheyLeave() {
        ZooKeeperCoordination one = process();
        ZooKeeperCoordination two = process();
        assertThat(one.members()).isEmpty();
        var first = new Member("1", "zone-a", "host-a", "grpc://host-a:2136/local");
        var second = new Member("2", "", "host-b", "grpc://host-b:2136/local");
        var entered = one.register(first);
        two.register(second);
        assertThat(two.members()).containsExactly(first, second);
        entered.close();
        assertThat(two.members()).containsExactly(second);
    }

    @Test
    void aNodeIsEnteredAgainAfterItsSessionExpired() throws Exception {
        ZooKeeperCoordination one = process();
        ZooKeeperCoordination two = process();
        var member = new Member("1", "a", "h", "e");
        one.register(member);
        ledgers.expire(session(one));
        await(() -> two.members().equals(List.of(member)));
    }

    @Test
    void oneHoldsALeaseAndTheNextHasALaterEpoch() {
        ZooKeeperCoordination one = process();
        ZooKeeperCoordination two = process();
        ZooKeeperLease lease = granted(one.lead("cell-1", () -> {}));
        assertThat(lease.isHeld()).isTrue();
        assertThat(two.lead("cell-1", () -> {}))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        held ->
                                assertThat(held.holder())
                                        .contains("" + ProcessHandle.current().pid()));
        assertThat(granted(two.lead("cell-2", () -> {})).epoch()).isEqualTo(1);

        lease.close();

        assertThat(lease.isHeld()).isFalse();
        assertThat(granted(two.lead("cell-1", () -> {})).epoch()).isGreaterThan(lease.epoch());
    }

    @Test
    void anExpiredSessionIsNoLossWhileNobodyTookTheLease() throws Exception {
        ZooKeeperCoordination one = process();
        var lost = new AtomicInteger();
        ZooKeeperLease lease = granted(one.lead("cell-1", lost::incrementAndGet));
        long before = session(one);

        ledgers.expire(before);

        await(() -> lease.isHeld() && isHeldIn(one, before));
        assertThat(lost).hasValue(0);
        assertThat(process().lead("cell-1", () -> {})).isInstanceOf(Outcome.Refused.class);
        lease.close();
        assertThat(granted(process().lead("cell-1", () -> {})).epoch()).isEqualTo(2);
    }

    /// Whether the holder's node is there and of another session than this.
    private static boolean isHeldIn(ZooKeeperCoordination one, long before) {
        return one.nodes()
                .read("leases/cell-1/holder")
                .filter(found -> found.session() != before)
                .isPresent();
    }

    @Test
    void whoWasSilentTooLongIsToldThatAnotherHasTheLease() throws Exception {
        ZooKeeperCoordination one = process();
        ZooKeeperCoordination two = process();
        var lost = new CountDownLatch(1);
        ZooKeeperLease lease = granted(one.lead("cell-1", lost::countDown));
        // As if it had slept: its entry is gone, and another is faster.
        two.nodes().remove("leases/cell-1/holder");
        ZooKeeperLease next = granted(two.lead("cell-1", () -> {}));
        ledgers.expire(session(one));

        assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(next.epoch()).isGreaterThan(lease.epoch());
        lease.close();
        assertThat(process().lead("cell-1", () -> {})).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void aHolderOfThisMachineThatIsNoMoreIsNotWaitedFor() {
        ZooKeeperCoordination one = process();
        enterDead(one, "leases/cell-1", "4");
        assertThat(granted(one.lead("cell-1", () -> {})).epoch()).isEqualTo(5);

        var far = new ZooKeeperHolder("far", "boot/pid:[1]", 1, 1, "x");
        one.nodes().make("leases/cell-2/holder", far.encode());
        one.nodes().put("leases/cell-2", "0");
        assertThat(one.lead("cell-2", () -> {})).isEqualTo(new Outcome.Refused("process 1 on far"));
    }

    /// As if a process of this machine had been killed that had the lease.
    private static void enterDead(ZooKeeperCoordination by, String lease, String epoch) {
        ZooKeeperHolder here = ZooKeeperHolder.here();
        var dead = new ZooKeeperHolder(here.host(), here.machine(), here.pid(), 1, "id");
        by.nodes().make(lease, epoch);
        by.nodes().make(lease + "/holder", dead.encode());
    }

    @Test
    void onlyOneWhoseNumbersMeanTheSameIsKnownToBeDead() {
        ZooKeeperHolder here = ZooKeeperHolder.here();
        long nobody = Integer.MAX_VALUE;
        assertThat(ZooKeeperHolder.decode(here.encode())).contains(here);
        assertThat(here.isKnownDead()).isFalse();
        assertThat(holder(here.machine(), here.pid(), here.started() + 1).isKnownDead()).isTrue();
        assertThat(holder(here.machine(), nobody, here.started()).isKnownDead()).isTrue();
        // Another container, or another machine, by the same name.
        assertThat(holder(here.machine() + "1", nobody, 1).isKnownDead()).isFalse();
        assertThat(holder(ZooKeeperHolder.UNKNOWN, nobody, 1).isKnownDead()).isFalse();
    }

    private static ZooKeeperHolder holder(String machine, long pid, long started) {
        return new ZooKeeperHolder(ZooKeeperHolder.hostName(), machine, pid, started, "id");
    }

    /// Both see that the holder is dead, and one is faster.
    @Test
    void aDeadHoldersLeaseIsGrantedOnce() {
        ZooKeeperCoordination fast = process();
        enterDead(fast, "leases/cell-1", "4");
        var leases = new ArrayList<ZooKeeperLease>();
        CuratorFramework delayed =
                Calls.before(
                        CuratorFramework.class,
                        process().nodes().zooKeeper(),
                        "transaction",
                        () -> {
                            if (leases.isEmpty()) {
                                leases.add(granted(fast.lead("cell-1", () -> {})));
                            }
                        });
        var slow = new ZooKeeperCoordination(new SystemEnv(), delayed, settings);
        assertThat(slow.lead("cell-1", () -> {})).isInstanceOf(Outcome.Refused.class);
        assertThat(leases.getFirst().epoch()).isEqualTo(5);
        assertThat(leases.getFirst().isHeld()).isTrue();
    }

    @Test
    void aStepWhoseAnswerWasLostIsNoLossOfTheLease() throws Exception {
        ZooKeeperCoordination one = process();
        var lost = new AtomicInteger();
        ZooKeeperLease lease = granted(one.lead("cell-1", lost::incrementAndGet));
        // As its own step leaves it: the same epoch in another version.
        var before = one.nodes().read("leases/cell-1").orElseThrow();
        assertThat(one.nodes().replace("leases/cell-1", before.version(), before.text())).isTrue();
        long session = session(one);

        ledgers.expire(session);

        await(() -> lease.isHeld() && isHeldIn(one, session));
        assertThat(lost).hasValue(0);
    }

    @Test
    void whoIsCutOffKnowsSoBeforeAnotherHasTheLease() throws Exception {
        try (Relay relay = Relay.to(ledgers.zooKeeper())) {
            var far =
                    BookKeeperSettings.parse(
                            "bookkeeper://%s%s?session-seconds=3&stall-seconds=2"
                                    .formatted(relay.address(), settings.root()));
            CuratorFramework zooKeeper = ZooKeeperSessions.open(far);
            sessions.add(zooKeeper);
            var cutOff = new ZooKeeperCoordination(new SystemEnv(), zooKeeper, far);
            var lost = new CountDownLatch(1);
            ZooKeeperLease lease = granted(cutOff.lead("cell-1", lost::countDown));
            ZooKeeperCoordination near = process();
            Thread.sleep(5000);
            assertThat(lease.isHeld()).isTrue();

            relay.cut();
            boolean wasHeld = lease.isHeld();
            Outcome outcome = near.lead("cell-1", () -> {});
            while (outcome instanceof Outcome.Refused) {
                wasHeld = lease.isHeld();
                outcome = near.lead("cell-1", () -> {});
            }

            assertThat(wasHeld).isFalse();
            assertThat(lost.getCount()).isEqualTo(1);
            relay.mend();
            assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(lease.isHeld()).isFalse();
            assertThat(granted(outcome).isHeld()).isTrue();
        }
    }

    @Test
    void leasesAndNodesOutliveARestartOfZooKeeper() throws Exception {
        ZooKeeperCoordination one = process();
        var lost = new AtomicInteger();
        ZooKeeperLease lease = granted(one.lead("cell-1", lost::incrementAndGet));
        var member = new Member("1", "a", "h", "e");
        one.register(member);
        ledgers.stopZooKeeper();
        ledgers.startZooKeeper();
        ZooKeeperCoordination two = process();
        await(() -> lease.isHeld() && two.members().equals(List.of(member)));
        assertThat(two.lead("cell-1", () -> {})).isInstanceOf(Outcome.Refused.class);
        assertThat(lost).hasValue(0);
    }

    @Test
    void settingsAreSeenByAll() throws Exception {
        ZooKeeperCoordination one = process();
        ZooKeeperCoordination two = process();
        var changes = new AtomicInteger();
        try (var _ = two.whenSettingsChange(changes::incrementAndGet)) {
            one.set("zone.host-a", "a");
            one.set("zone.host-b", "x");
            one.set("zone.host-b", "b");
            assertThat(two.settings()).isEqualTo(Map.of("zone.host-a", "a", "zone.host-b", "b"));
            await(() -> changes.get() >= 3);
        }
        one.unset("zone.host-b");
        assertThat(two.settings()).isEqualTo(Map.of("zone.host-a", "a"));
    }

    @Test
    void bookiesAreInTheZonesOfTheirHosts() {
        ZooKeeperCoordination one = process();
        one.set("zone.host-a", "a");
        one.register(new Member("1", "b", "host-b", "e"));
        // The node itself is not entered yet, and the one before had another zone.
        one.register(new Member("2", "old", "host-d", "e"));
        var zones = new ZoneMapping(one, "host-d", "d");
        assertThat(zones.resolve(List.of("host-a", "host-b", "host-c", "host-d")))
                .containsExactly("/zone/a", "/zone/b", "/default-region/default-rack", "/zone/d");
    }

    private static ZooKeeperLease granted(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Granted.class);
        return ((Outcome.Granted) outcome).lease();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(20);
        }
    }
}

package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.lock.LockOwner;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Done;
import io.cleave.tablet.record.CommitResult.Outdated;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.tablet.twophase.DecideResult;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PrepareResult;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.TestCells;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/// Tablets refuse commits that were made for an earlier version of their table than they require.
class RequiredVersionsTest {
    private static final long TABLE = 100;

    private static List<TabletWrites> writes(long tabletId, String key, long version) {
        var change = new KeyedChange(Bytes.utf8(key), CellRig.change("v" + version));
        return List.of(new TabletWrites(tabletId, List.of(change), version));
    }

    private static CommitResult commit(Cell cell, long tabletId, String key, long version) {
        return cell.commit(writes(tabletId, key, version), null, null);
    }

    /// Version 3 is taken, and version 2 is refused.
    private static void assertRequires3(Cell cell, long tabletId, String key) {
        assertThat(cell.tablet(tabletId).minVersion()).isEqualTo(3);
        assertThat(commit(cell, tabletId, key, 2)).isEqualTo(new Outdated(TABLE));
        assertThat(commit(cell, tabletId, key, 3)).isInstanceOf(Done.class);
    }

    @Test
    void aCommitMadeForAnEarlierVersionIsRefused() {
        CellRig.run(
                1,
                CellOptions.DEFAULT,
                rig -> {
                    rig.createTablet(1);
                    rig.createTablet(9);
                    assertThat(commit(rig.cell, 1, "a", 2)).isInstanceOf(Done.class);
                    assertThat(rig.cell.structure().requireVersion(3, List.of(1L))).isTrue();
                    assertThat(commit(rig.cell, 1, "a", 2)).isEqualTo(new Outdated(TABLE));
                    assertThat(rig.rows(1)).isEqualTo(Map.of("a", "v2"));
                    var told = new CompletableFuture<CommitResult>();
                    List<TabletWrites> old = writes(1, "a", 2);
                    assertThat(rig.cell.commitLater(old, null, told::complete)).isFalse();
                    assertThat(commit(rig.cell, 1, "a", 3)).isInstanceOf(Done.class);
                    assertThat(commit(rig.cell, 9, "a", 2)).isInstanceOf(Done.class);
                });
    }

    @Test
    void theVersionNeverGoesBack() {
        CellRig.run(
                1,
                CellOptions.DEFAULT,
                rig -> {
                    rig.createTablet(1);
                    assertThat(rig.cell.structure().requireVersion(3, List.of(1L))).isTrue();
                    assertThat(rig.cell.structure().requireVersion(1, List.of(1L))).isTrue();
                    assertRequires3(rig.cell, 1, "a");
                    rig.restart();
                    assertRequires3(rig.cell, 1, "a");
                });
    }

    @Test
    void aRestartKeepsTheVersion() {
        CellRig.run(
                1,
                CellOptions.DEFAULT,
                rig -> {
                    rig.createTablet(1);
                    assertThat(rig.cell.structure().requireVersion(3, List.of(1L))).isTrue();
                    rig.restart();
                    assertRequires3(rig.cell, 1, "a");
                    rig.cell.structure().flush(List.of(1L));
                    rig.cell.checkpoint();
                    rig.restart();
                    assertRequires3(rig.cell, 1, "a");
                });
    }

    /// The specs of new tablets are made before the cell's lock is taken, so they say nothing.
    @Test
    void partsAndMergedTabletsHaveTheVersionOfTheirParents() {
        CellRig.run(
                1,
                CellOptions.DEFAULT,
                rig -> {
                    rig.createTablet(1);
                    assertThat(rig.cell.structure().requireVersion(2, List.of(1L))).isTrue();
                    KeyRange left = new KeyRange(Bytes.EMPTY, Bytes.utf8("m"));
                    KeyRange right = new KeyRange(Bytes.utf8("m"), null);
                    rig.cell
                            .structure()
                            .split(
                                    1,
                                    List.of(
                                            new TabletSpec(2, TABLE, left),
                                            new TabletSpec(3, TABLE, right)));
                    assertThat(rig.cell.structure().requireVersion(3, List.of(1L))).isFalse();
                    assertThat(rig.cell.structure().requireVersion(3, List.of(2L))).isTrue();
                    assertThat(rig.cell.tablet(3).minVersion()).isEqualTo(2);
                    rig.restart();
                    assertRequires3(rig.cell, 2, "a");
                    assertThat(rig.cell.tablet(3).minVersion()).isEqualTo(2);
                    rig.cell
                            .structure()
                            .merge(List.of(2L, 3L), new TabletSpec(4, TABLE, KeyRange.ALL));
                    assertRequires3(rig.cell, 4, "z");
                    rig.restart();
                    assertRequires3(rig.cell, 4, "z");
                });
    }

    @Test
    void aMoveTakesTheVersionAlong() {
        runCells(
                (_, cells) -> {
                    assertThat(cells.cell(1).structure().requireVersion(3, List.of(10L))).isTrue();
                    cells.cell(1).structure().move(10, cells.cell(2));
                    assertThat(cells.cell(1).structure().requireVersion(4, List.of(10L))).isFalse();
                    assertRequires3(cells.cell(2), 10, "a");
                });
    }

    @Test
    void aReplicaHasTheVersion() {
        ReplicaRig.run(
                1,
                1,
                CellOptions.DEFAULT,
                rig -> {
                    var spec = new TabletSpec(1, ReplicaRig.TABLE, KeyRange.ALL);
                    rig.cell(1).structure().create(List.of(spec));
                    Tablet leader = rig.cell(1).tablet(1);
                    rig.write(leader, 1, "a", "1");
                    assertThat(rig.cell(1).structure().requireVersion(2, List.of(1L))).isTrue();
                    ReadReplica begunLater = rig.begin(1, 1);
                    assertThat(rig.cell(1).structure().requireVersion(3, List.of(1L))).isTrue();
                    assertThat(commit(rig.cell(1), 1, "b", 3)).isInstanceOf(Done.class);
                    rig.catchUp(begunLater);
                    Route copy = begunLater.tablets(rig.cell(1)).getFirst();
                    assertThat(copy.statistics().minVersion()).isEqualTo(3);
                });
    }

    /// A transaction in two cells has promised its writes before the version was required.
    @Test
    void whatWasPreparedBeforeIsAwaitedAndNothingElse() {
        runCells(
                (env, cells) -> {
                    long id = cells.timeline().newId();
                    assertReady(prepare(cells, 1, id, 2));
                    assertReady(prepare(cells, 2, id, 2));
                    cells.cell(2).transactions().awaitPrepared(id);
                    var ended = new AtomicReference<@Nullable Boolean>();
                    var _ = env.spawn("alter", () -> ended.set(require(cells.cell(2), 20, 3)));
                    pass(env, Duration.ofMillis(100));
                    assertThat(ended.get()).isNull();
                    assertThat(commit(cells.cell(2), 20, "z", 2)).isEqualTo(new Outdated(TABLE));
                    long late = cells.timeline().newId();
                    assertThat(prepare(cells, 2, late, 2))
                            .isEqualTo(new PrepareResult.Refused(new Outdated(TABLE)));
                    // A newer transaction that is prepared meanwhile is not waited for.
                    long newer = cells.timeline().newId();
                    assertReady(
                            cells.cell(2)
                                    .transactions()
                                    .prepare(preparation(newer, writes(20, "n", 3))));
                    var decided = (DecideResult.Decided) cells.cell(1).transactions().decide(id);
                    var commit = new CommitDecision.Commit(decided.timestamp());
                    cells.cell(2).transactions().outcome(id, commit);
                    pass(env, Duration.ofMillis(100));
                    assertThat(ended.get()).isTrue();
                    assertThat(cells.get(2, "k")).isEqualTo("v2");
                    cells.cell(2).transactions().outcome(newer, new CommitDecision.Abort());
                });
    }

    /// The thread of a transaction died. The lease of the transaction ends it.
    @Test
    void whatNobodyEndsIsAborted() {
        runCells(
                (env, cells) -> {
                    long id = cells.timeline().newId();
                    assertReady(prepare(cells, 1, id, 2));
                    assertReady(prepare(cells, 2, id, 2));
                    long before = env.nanoTime();
                    assertThat(require(cells.cell(2), 20, 3)).isTrue();
                    assertThat(env.nanoTime() - before)
                            .isGreaterThan(TransactionUpkeep.LEASE.toNanos());
                    assertThat(cells.get(2, "k")).isNull();
                    assertThat(commit(cells.cell(2), 20, "k", 3)).isInstanceOf(Done.class);
                });
    }

    /// The transaction was prepared before a crash, and ends after the start.
    @Test
    void whatWasPreparedBeforeARestartIsAwaited() {
        runCells(
                (env, cells) -> {
                    long id = cells.timeline().newId();
                    assertReady(prepare(cells, 1, id, 2));
                    assertReady(prepare(cells, 2, id, 2));
                    cells.cell(2).transactions().awaitPrepared(id);
                    cells.crash(Map.of());
                    var ended = new AtomicReference<@Nullable Boolean>();
                    var _ = env.spawn("alter", () -> ended.set(require(cells.cell(2), 20, 3)));
                    pass(env, Duration.ofMillis(100));
                    assertThat(ended.get()).isNull();
                    cells.cell(2).transactions().recover();
                    pass(env, Duration.ofMillis(600));
                    assertThat(ended.get()).isTrue();
                });
    }

    private static boolean require(Cell cell, long tabletId, long version) {
        return cell.structure().requireVersion(version, List.of(tabletId));
    }

    private static void assertReady(PrepareResult result) {
        assertThat(result).isEqualTo(new PrepareResult.Ready());
    }

    private static PrepareResult prepare(TestCells cells, long cellId, long id, long version) {
        return cells.cell(cellId)
                .transactions()
                .prepare(preparation(id, writes(10 * cellId, "k", version)));
    }

    private static Preparation preparation(long id, List<TabletWrites> writes) {
        return new Preparation(id, 1, List.of(2L), writes, LockOwner.NOBODY, null);
    }

    private interface CellsBody {
        void run(SimEnv env, TestCells cells);
    }

    private static void runCells(CellsBody body) {
        var env = new SimEnv(1);
        env.run(
                () -> {
                    var cells = new TestCells(env, 2);
                    body.run(env, cells);
                    cells.close();
                });
    }

    private static void pass(SimEnv env, Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

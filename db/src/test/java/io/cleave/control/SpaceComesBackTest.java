package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Rule;
import io.cleave.base.Bytes;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Partitioning;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;
import io.cleave.ttl.TtlOptions;
import io.cleave.ttl.TtlRuns;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.Transaction;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/// What is erased gives its space back, and the tablets that had it are merged, without a command.
class SpaceComesBackTest {
    private static final int TABLETS = 8;
    private static final int ROWS = 1600;
    private static final int ROW_BYTES = 2000;
    private static final Partitioning BY_SIZE = new Partitioning(true, 1, false, 1, 0);
    private static final Duration LIFETIME = Duration.ofMinutes(30);
    private static final TableOptions EXPIRING =
            new TableOptions(
                    BY_SIZE,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(new Ttl("at", TtlUnit.DATE, (int) LIFETIME.toSeconds(), 0)));
    private static final Duration MERGE_AGE = BalanceSettings.DEFAULT.mergeAge();
    private static final Duration A_FEW_MINUTES = Duration.ofMinutes(6);

    @Test
    void afterAllRowsAreDeleted() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    fill(rig, TableOptions.DEFAULT.with(BY_SIZE));
                    erase(rig, 0, ROWS);
                    rig.pass(MERGE_AGE.plus(A_FEW_MINUTES));
                    assertEmpty(rig);
                });
    }

    /// No file ever had them.
    @Test
    void afterRowsThatWereOnlyInMemoryAreDeleted() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    keepInMemory(rig, TableOptions.DEFAULT.with(BY_SIZE));
                    erase(rig, 0, ROWS);
                    rig.pass(MERGE_AGE.plus(A_FEW_MINUTES));
                    assertEmpty(rig);
                });
    }

    /// Rows that were written several times are in several files.
    @Test
    void afterRowsThatWereUpdatedAreDeleted() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    fill(rig, TableOptions.DEFAULT.with(BY_SIZE));
                    rig.writeDated(0, ROWS, ROW_BYTES);
                    erase(rig, 0, ROWS);
                    rig.pass(MERGE_AGE.plus(A_FEW_MINUTES));
                    assertEmpty(rig);
                });
    }

    @Test
    void afterAllRowsHaveExpired() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    fill(rig, EXPIRING);
                    assertEmptyAfterExpiry(rig);
                });
    }

    @Test
    void afterRowsThatWereOnlyInMemoryHaveExpired() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    keepInMemory(rig, EXPIRING);
                    assertEmptyAfterExpiry(rig);
                });
    }

    private static void assertEmptyAfterExpiry(BalancerRig rig) {
        var runs =
                new TtlRuns(
                        rig.parts().tablets(),
                        rig.transactions(),
                        TtlOptions.every(Duration.ofMinutes(1)),
                        rig.env());
        runs.start();
        rig.pass(LIFETIME.plusMinutes(1).plus(MERGE_AGE).plus(A_FEW_MINUTES));
        assertEmpty(rig);
        runs.close();
    }

    /// A quarter of the keys is left, all of them in two tablets.
    @Test
    void whatIsLeftIsCounted() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    fill(rig, TableOptions.DEFAULT.with(BY_SIZE));
                    erase(rig, 0, ROWS * 3 / 4);
                    assertThat(rows(rig)).isBetween(ROWS / 4L, ROWS * 3 / 10L);
                    rig.pass(MERGE_AGE.plus(A_FEW_MINUTES));
                    assertThat(rows(rig)).isEqualTo(ROWS / 4);
                    assertThat(rig.fileBytes()).isLessThan(ROWS / 4 * ROW_BYTES * 11 / 10);
                    assertThat(rig.tablets()).isEqualTo(2);
                });
    }

    /// No flush alone hides half of what is there.
    @Test
    void afterRowsWereDeletedLittleByLittle() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    fill(rig, TableOptions.DEFAULT.with(BY_SIZE));
                    for (int part = 0; part < 16; part++) {
                        for (long id = part; id < ROWS; id += 16) {
                            rig.erase(id, id + 1);
                        }
                        rig.pass(Duration.ofMinutes(4));
                    }
                    rig.pass(MERGE_AGE.plus(A_FEW_MINUTES));
                    assertEmpty(rig);
                });
    }

    /// What a snapshot may read stays until it has ended.
    @Test
    void afterTheSnapshotThatNeedsItHasEnded() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    fill(rig, TableOptions.DEFAULT.with(BY_SIZE));
                    Transaction reader = rig.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
                    var columns = ReadColumns.of(rig.table(), 1);
                    assertThat(reader.get(BalancerRig.key(1), columns)).isNotNull();
                    erase(rig, 0, ROWS);
                    rig.pass(MERGE_AGE.plus(A_FEW_MINUTES));
                    assertThat(reader.get(BalancerRig.key(2), columns)).isNotNull();
                    assertThat(rig.fileBytes()).isGreaterThan(1L << 20);
                    reader.rollback();
                    rig.pass(A_FEW_MINUTES);
                    assertEmpty(rig);
                });
    }

    private static void fill(BalancerRig rig, TableOptions options) {
        fill(rig, options, ROW_BYTES);
        assertThat(rig.fileBytes()).isGreaterThan(1L << 20);
    }

    /// Fewer bytes than memtables may have.
    private static void keepInMemory(BalancerRig rig, TableOptions options) {
        fill(rig, options, 20);
        assertThat(rig.fileBytes()).isZero();
    }

    private static void fill(BalancerRig rig, TableOptions options, int rowBytes) {
        rig.create(options);
        List<Bytes> bounds =
                LongStream.range(1, TABLETS)
                        .mapToObj(tablet -> BalancerRig.key(tablet * ROWS / TABLETS))
                        .toList();
        rig.parts().resharding().split(BalancerRig.PATH, bounds);
        rig.writeDated(0, ROWS, rowBytes);
        rig.pass(Duration.ofSeconds(10));
        assertThat(rig.tablets()).isEqualTo(TABLETS);
        assertThat(rows(rig)).isEqualTo(ROWS);
    }

    private static void erase(BalancerRig rig, long from, long to) {
        for (long id = from; id < to; id += 100) {
            rig.erase(id, Math.min(id + 100, to));
        }
    }

    private static void assertEmpty(BalancerRig rig) {
        assertThat(rows(rig)).isZero();
        assertThat(rig.infos().stream().mapToLong(TabletInfo::bytes).sum()).isLessThan(10_000);
        assertThat(rig.fileBytes()).isLessThan(10_000);
        assertThat(rig.tablets()).isEqualTo(1);
        assertThat(rig.rules()).contains(Rule.MERGE_BY_SIZE);
    }

    private static long rows(BalancerRig rig) {
        return rig.infos().stream().mapToLong(TabletInfo::rows).sum();
    }
}

package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.faults.DiskStore;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;
import io.cleave.txn.CommitOutcome;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A store is opened on a disk that is full. It reads, refuses to write and says so from the start,
/// and writes again when there is room.
class FullDiskStartTest {
    private static final String TABLE = "/local/t";
    private static final long MIB = 1 << 20;
    private static final DiskSpace.Limits LIMITS =
            new DiskSpace.Limits(100 * MIB, 10 * MIB, 3 * MIB);

    private final SimulatedDisk disk = new SimulatedDisk();
    private final SimEnv env = new SimEnv(1);

    @Test
    void itIsToldAtTheStartAndEndsByItself() {
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env)) {
                        store.createTable(TABLE, 1);
                        commit(store, 1);
                    }
                    disk.fillAfter(9 * MIB);
                    var space = new DiskSpace(env, disk, DiskStore.ROOT, List.of(), LIMITS);
                    var health = new NodeHealth(() -> true, Optional.of(space));
                    try (var store = new DiskStore(disk, env, space)) {
                        assertThatThrownBy(health::isWell).hasMessageContaining("is full");
                        assertThat(store.readAll(TABLE)).hasSize(1);
                        assertThatThrownBy(() -> commit(store, 2))
                                .isInstanceOfSatisfying(
                                        StatusException.class,
                                        e -> assertThat(e.status()).isEqualTo(Status.UNAVAILABLE))
                                .hasMessageContaining("is full, with 9 MiB left");
                        disk.fillAfter(500 * MIB);
                        pass(Duration.ofSeconds(2));
                        assertThat(health.isWell()).isTrue();
                        commit(store, 3);
                        assertThat(store.readAll(TABLE)).hasSize(2);
                    }
                });
    }

    private static void commit(DiskStore store, long id) {
        assertThat(store.commit(TABLE, Map.of(id, "v")))
                .isInstanceOf(CommitOutcome.Committed.class);
    }

    private void pass(Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

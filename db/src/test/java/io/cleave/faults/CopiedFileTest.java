package io.cleave.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.CorruptionException;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// A store that was closed, and then one of its table files was copied over another, which is whole
/// as far as its own checksums go. The store says which file it is.
@ExtendWith(QuietUpkeep.class)
class CopiedFileTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);

    private static SimulatedDisk whole;
    private static Workload workload;

    @BeforeAll
    static void makeStore() throws Exception {
        var env = new SimEnv(SEED);
        var disk = new SimulatedDisk();
        workload = new Workload(SEED);
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env)) {
                        workload.run(store, env);
                    }
                });
        whole = disk.kill();
    }

    @Test
    void aFileCopiedOverAnotherIsFound() throws Exception {
        List<Path> blobs =
                whole.files().stream().filter(file -> file.toString().endsWith(".blob")).toList();
        assertThat(blobs).as("-Dseed=%d", SEED).hasSizeGreaterThan(1);
        for (Path copied : blobs) {
            for (Path over : blobs) {
                if (!copied.equals(over)) {
                    SimulatedDisk disk = whole.copy();
                    disk.put(over, whole.readAll(copied));
                    String what = "-Dseed=%d: %s over %s".formatted(SEED, copied, over);
                    Optional<CorruptionException> damage = damage(disk, what);
                    assertThat(damage).as(what).isPresent();
                    assertThat(damage.get().file()).as(what).isEqualTo(over.toString());
                }
            }
        }
    }

    private static Optional<CorruptionException> damage(SimulatedDisk disk, String what) {
        var env = new SimEnv(1);
        var damage = new AtomicReference<CorruptionException>();
        env.run(
                () -> {
                    try {
                        var store = new DiskStore(disk, env);
                        workload.copy().check(store, what);
                    } catch (CorruptionException e) {
                        damage.set(e);
                    }
                });
        return Optional.ofNullable(damage.get());
    }
}

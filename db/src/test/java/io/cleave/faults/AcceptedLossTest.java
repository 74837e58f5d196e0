package io.cleave.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.CorruptionException;
import io.cleave.log.LocalLog;
import io.cleave.log.LogOptions;
import io.cleave.log.OnDamage;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// A store that goes on without what it has lost: what is left is right, nothing that may be of use
/// to people is deleted, and the next start needs no option.
@ExtendWith(QuietUpkeep.class)
class AcceptedLossTest {
    private static final String TABLE = "/local/t";
    private static final int CELLS = 2;
    private static final int ROWS = 120;

    private static final SortedMap<Long, String> ALL = new TreeMap<>();

    /// Killed when it was idle.
    private static SimulatedDisk whole;

    @BeforeAll
    static void makeStore() {
        var disk = new SimulatedDisk();
        var env = new SimEnv(1);
        env.run(
                () -> {
                    var store = new DiskStore(disk, env, CELLS);
                    store.createTable(TABLE, CELLS);
                    for (int number = 0; number < ROWS; number++) {
                        long id = number + (number % CELLS == 0 ? 0 : 1L << 63);
                        String text = "v".repeat(40) + number;
                        var _ = store.commit(TABLE, Map.of(id, text));
                        ALL.put(id, text);
                    }
                    sleep(env);
                });
        whole = disk.kill();
    }

    @Test
    void aTableFileThatIsMissingCostsItsRows() throws IOException {
        assertThat(userBlobs(whole)).hasSizeGreaterThan(2);
        int accepted = 0;
        for (Path file : userBlobs(whole)) {
            accepted += goesOnWithout(file, disk -> delete(disk, file)) ? 1 : 0;
        }
        assertThat(accepted).isGreaterThan(2);
    }

    @Test
    void aTableFileWhoseEndIsDamagedIsSetAside() throws IOException {
        for (Path file : userBlobs(whole)) {
            byte[] damaged = whole.readAll(file);
            damaged[damaged.length - 20] ^= 1;
            if (goesOnWithout(file, disk -> disk.put(file, damaged))) {
                SimulatedDisk disk = whole.copy();
                disk.put(file, damaged);
                start(disk, OnDamage.ACCEPT_LOSS);
                assertThat(disk.exists(file)).isFalse();
                assertThat(disk.readAll(lost(file))).isEqualTo(damaged);
            }
        }
    }

    /// False if nobody needed the file.
    private static boolean goesOnWithout(Path file, Consumer<SimulatedDisk> damage) {
        SimulatedDisk disk = whole.copy();
        damage.accept(disk);
        Started refused = start(disk.copy(), OnDamage.REFUSE);
        if (refused.rows != null) {
            assertThat(refused.rows).isEqualTo(ALL);
            return false;
        }
        assertThat(refused.damage)
                .hasMessageContaining(file.getFileName().toString())
                .hasMessageContaining(file.getParent().toString())
                .hasMessageContaining("would be lost");
        SortedMap<Long, String> left = start(disk, OnDamage.ACCEPT_LOSS).rows;
        assertThat(left).as("without %s", file).isNotNull();
        assertThat(ALL.entrySet()).containsAll(left.entrySet());
        assertThat(left).hasSizeLessThan(ALL.size()).hasSizeGreaterThan(ALL.size() / 4);
        // Nobody has to be asked again.
        assertThat(start(disk, OnDamage.REFUSE).rows).isEqualTo(left);
        return true;
    }

    /// The first start cuts the torn end of a log, and ends before it looks for files.
    @Test
    void filesOfACutRecordAreSetAsideByTheNextStart() throws IOException {
        SimulatedDisk disk = whole.copy();
        Path orphan = Path.of("/data/blobs/0000000000000001.blob");
        assertThat(disk.exists(orphan)).isFalse();
        disk.put(orphan, new byte[] {1, 2, 3});
        Path log = Path.of("/data/cells/1/log");
        tearEnd(disk, log);
        var env = new SimEnv(1);
        env.run(
                () -> {
                    var opened =
                            new LocalLog(disk, log, env, new LogOptions(1 << 20, 1 << 20), _ -> {});
                    assertThat(opened.losses()).hasSize(1);
                });
        assertThat(start(disk, OnDamage.REFUSE).rows).isEqualTo(ALL);
        assertThat(disk.exists(orphan)).isFalse();
        assertThat(disk.exists(lost(orphan))).isTrue();
        // From then on files that nobody names are of crashes again.
        disk.put(orphan, new byte[] {4});
        disk.delete(lost(orphan));
        assertThat(start(disk, OnDamage.REFUSE).rows).isEqualTo(ALL);
        assertThat(disk.exists(orphan) || disk.exists(lost(orphan))).isFalse();
    }

    /// The files of the catalog have a folder of their own.
    @Test
    void filesOfACutRecordOfTheCatalogAreSetAside() throws IOException {
        SimulatedDisk disk = whole.copy();
        Path orphan = Path.of("/data/cells/0/blobs/0000000000000001.blob");
        Path named = Path.of("/data/blobs/0000000000000001.blob");
        assertThat(disk.exists(orphan) || disk.exists(named)).isFalse();
        disk.put(orphan, new byte[] {1, 2, 3});
        disk.put(named, new byte[] {4});
        disk.put(orphan.resolveSibling("next-id"), disk.readAll(named.resolveSibling("next-id")));
        tearEnd(disk, Path.of("/data/cells/0/log"));
        assertThat(start(disk, OnDamage.REFUSE).rows).isEqualTo(ALL);
        assertThat(disk.exists(orphan)).isFalse();
        assertThat(disk.readAll(lost(orphan))).containsExactly(1, 2, 3);
        // No user cell has lost anything.
        assertThat(disk.exists(named) || disk.exists(lost(named))).isFalse();
    }

    /// Its tablets belong to no table then, and are dropped; but what they hold is kept.
    @Test
    void theFilesOfATableThatTheCatalogHasLostAreSetAside() throws IOException {
        int gone = 0;
        for (Path file : whole.files()) {
            if (!file.startsWith("/data/cells/0/log")) {
                continue;
            }
            int size = end(whole.readAll(file));
            for (int offset = 0; offset < size; offset += 16) {
                SimulatedDisk disk = whole.copy();
                disk.flipBit(file, offset * 8L);
                if (start(disk, OnDamage.ACCEPT_LOSS).isTableGone) {
                    gone++;
                    for (Path blob : userBlobs(whole)) {
                        assertThat(disk.exists(blob) || disk.exists(lost(blob)))
                                .as("%s after damage to byte %d of %s", blob, offset, file)
                                .isTrue();
                    }
                }
            }
        }
        assertThat(gone).isPositive();
    }

    /// Puts bytes that are no record behind the last one.
    private static void tearEnd(SimulatedDisk disk, Path log) throws IOException {
        Path segment =
                disk.files().stream().filter(file -> file.startsWith(log)).toList().getLast();
        byte[] bytes = disk.readAll(segment);
        disk.put(segment, Arrays.copyOf(bytes, end(bytes) + 3));
        disk.flipBit(segment, (end(bytes) + 2) * 8L);
    }

    /// Either rows or damage, or the table is gone.
    private record Started(
            @Nullable SortedMap<Long, String> rows,
            @Nullable CorruptionException damage,
            boolean isTableGone) {}

    private static Started start(SimulatedDisk disk, OnDamage onDamage) {
        var env = new SimEnv(1);
        List<Started> outcome = new ArrayList<>();
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env, CELLS, onDamage)) {
                        outcome.add(
                                store.hasTable(TABLE)
                                        ? new Started(store.readAll(TABLE), null, false)
                                        : new Started(null, null, true));
                    } catch (CorruptionException e) {
                        outcome.add(new Started(null, e, false));
                    }
                });
        return outcome.getFirst();
    }

    private static List<Path> userBlobs(SimulatedDisk disk) {
        return disk.files().stream()
                .filter(file -> file.toString().endsWith(".blob"))
                .filter(file -> !file.startsWith("/data/cells"))
                .toList();
    }

    private static Path lost(Path blob) {
        return blob.resolveSibling("lost").resolve(blob.getFileName());
    }

    private static void delete(SimulatedDisk disk, Path file) {
        try {
            disk.delete(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void sleep(SimEnv env) {
        try {
            env.sleep(Duration.ofMillis(10));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Behind the last byte that is not zero.
    private static int end(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }
}

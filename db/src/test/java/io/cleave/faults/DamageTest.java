package io.cleave.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.CorruptionException;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/// A store that was closed, and then a bit of it, a part or a whole file was lost. It answers as
/// before, or says which file is damaged and where; it never answers anything else.
@ExtendWith(QuietUpkeep.class)
class DamageTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);

    /// Of larger files so many bytes are tried.
    private static final int SAMPLE = System.getProperty("all") == null ? 40 : Integer.MAX_VALUE;

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
        assertThat(outcome(copy())).isEmpty();
        assertThat(whole.files().toString()).contains(".log", ".blob", "next-id");
    }

    @Test
    void aFlippedBitIsFoundOrDoesNotMatter() throws Exception {
        var random = new Random(SEED);
        int found = 0;
        int tried = 0;
        for (Path file : whole.files()) {
            int size = whole.readAll(file).length;
            for (int at : sample(size, random)) {
                SimulatedDisk disk = copy();
                disk.flipBit(file, at * 8L + random.nextInt(8));
                Optional<CorruptionException> damage = outcome(disk);
                String flip = "-Dseed=%d: byte %d of %s".formatted(SEED, at, file);
                damage.ifPresent(e -> assertThat(e.file()).as(flip).isEqualTo(file.toString()));
                tried++;
                found += damage.isPresent() ? 1 : 0;
            }
        }
        assertThat(found).as("of %d", tried).isGreaterThan(tried / 2);
    }

    @Test
    void aTruncatedFileIsFoundOrDoesNotMatter() throws Exception {
        for (Path file : whole.files()) {
            byte[] bytes = whole.readAll(file);
            for (int length : lengths(bytes.length)) {
                SimulatedDisk disk = copy();
                disk.put(file, Arrays.copyOf(bytes, length));
                Optional<CorruptionException> damage = outcome(disk);
                String cut = "-Dseed=%d: %s cut to %d".formatted(SEED, file, length);
                if (bytes.length > 28) { // more than the header of the segment that ends a log
                    assertThat(damage).as(cut).isPresent();
                }
                damage.ifPresent(e -> assertThat(e.getMessage()).as(cut).contains(named(file)));
            }
        }
    }

    @Test
    void aLostFileIsFoundOrDoesNotMatter() throws Exception {
        for (Path file : whole.files()) {
            SimulatedDisk disk = copy();
            disk.delete(file);
            Optional<CorruptionException> damage = outcome(disk);
            String lost = "-Dseed=%d: without %s".formatted(SEED, file);
            // The oldest segment may be one that nobody needs any more.
            if (!file.toString().endsWith(".log")) {
                assertThat(damage).as(lost).isPresent();
            }
        }
    }

    @Test
    void strayFilesDoNotMatter() throws Exception {
        byte[] text = "not ours".getBytes(StandardCharsets.US_ASCII);
        for (String folder : List.of("cells/0/log", "cells/1/log", "cells/0/blobs", "blobs")) {
            for (String name :
                    List.of(
                            "notes.txt",
                            "0.blob",
                            "core.log",
                            "0000000000000001.blob.bak",
                            "00000000000000ff.unsealed",
                            "next-id.fresh",
                            "ffffffffffffffff.blob")) {
                SimulatedDisk disk = copy();
                disk.put(DiskStore.ROOT.resolve(folder).resolve(name), text);
                disk.createFolders(DiskStore.ROOT.resolve(folder).resolve("empty"));
                assertThat(outcome(disk)).as(folder + "/" + name).isEmpty();
            }
        }
    }

    /// A blob that no record names is of a crash before the record; its id was given out.
    @Test
    void aBlobThatNobodyNamesGoes() throws Exception {
        SimulatedDisk disk = copy();
        Path stray = DiskStore.ROOT.resolve("blobs/00000000000000fe.blob");
        disk.put(stray, new byte[10]);
        assertThat(outcome(disk)).isEmpty();
        assertThat(disk.exists(stray)).isFalse();
    }

    /// Empty if the store opens and holds what it should.
    private static Optional<CorruptionException> outcome(SimulatedDisk disk) {
        var env = new SimEnv(1);
        var damage = new AtomicReference<CorruptionException>();
        env.run(
                () -> {
                    try {
                        var store = new DiskStore(disk, env);
                        workload.copy().check(store, "damaged");
                    } catch (CorruptionException e) {
                        damage.set(e);
                    }
                });
        return Optional.ofNullable(damage.get());
    }

    private static SimulatedDisk copy() {
        return whole.copy();
    }

    /// All bytes of a small file, some of a larger one.
    private static List<Integer> sample(int size, Random random) {
        List<Integer> offsets = new ArrayList<>();
        for (int offset = 0; offset < Math.min(size, SAMPLE); offset++) {
            offsets.add(size <= SAMPLE ? offset : random.nextInt(size));
        }
        return offsets;
    }

    private static List<Integer> lengths(int size) {
        return List.of(0, 1, 27, 28, size / 2, size - 33, size - 8, size - 1).stream()
                .filter(length -> length >= 0 && length < size)
                .toList();
    }

    /// A missing number is told by what it is missing for; a missing segment by its log.
    private static String named(Path file) {
        return file.getParent().toString();
    }
}

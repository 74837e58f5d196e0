package io.cleave.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.testkit.SimulatedDisk;
import io.cleave.testkit.SimulatedDisk.Point;

import org.junit.jupiter.api.Test;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;

/// The local blobs on a disk that fails and loses power.
class SimulatedBlobsTest extends BlobStoreContract {
    private static final Path DIR = Path.of("/data/blobs");
    private SimulatedDisk disk = new SimulatedDisk();

    @Override
    protected BlobStore reopen() {
        return new LocalBlobs(disk, Map.of("", DIR, "hdd", Path.of("/hdd")));
    }

    @Test
    void aSealedBlobOutlivesACrashAndAnUnsealedOneDoesNot() {
        for (int seed = 0; seed < 200; seed++) {
            disk = new SimulatedDisk();
            BlobStore store = reopen();
            long id = sealed(store, "hdd", "safe");
            store.create().write(utf8("half"));
            disk = disk.crash(new Random(seed));

            BlobStore after = reopen();

            assertThat(after.list()).as("seed %d", seed).containsExactly(id);
            assertThat(text(after.open(id).read(0, 4))).isEqualTo("safe");
            assertThat(after.create().id()).isGreaterThan(id + 1);
        }
    }

    @Test
    void aFailureAtAnyPointOfWritingLeavesNoBlob() {
        sealed(reopen(), "counts the points");
        int points = disk.trace().size();
        assertThat(disk.trace()).contains(Point.RENAME, Point.FORCE, Point.FORCE_FOLDER);
        for (int point = 0; point < points; point++) {
            disk = new SimulatedDisk();
            BlobStore store = reopen();
            disk.failAt(point);
            assertThatThrownBy(() -> sealed(store, "x"))
                    .as("point %d", point)
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(store.list()).isEmpty();
            assertThat(text(store.open(sealed(store, "next")).read(0, 4))).isEqualTo("next");
        }
    }

    @Test
    void nothingIsSealedAfterAFailedForce() {
        BlobStore store = reopen();
        BlobWriter writer = store.create();
        writer.write(utf8("x"));
        disk.failAt(disk.trace().size() + 1);
        assertThatThrownBy(writer::seal).isInstanceOf(UncheckedIOException.class);
        assertThat(disk.trace().getLast()).isEqualTo(Point.FORCE);
        assertThatThrownBy(writer::seal).isInstanceOf(IllegalStateException.class);
        writer.close();
        assertThat(store.list()).isEmpty();
    }

    @Test
    void aFullDiskIsAnErrorAndNoBlob() {
        BlobStore store = reopen();
        long id = sealed(store, "before");
        disk.fillAfter(100);
        assertThatThrownBy(() -> sealed(store, "x".repeat(200)))
                .isInstanceOf(UncheckedIOException.class)
                .hasStackTraceContaining("No space left");
        assertThat(store.list()).containsExactly(id);
        assertThat(reopen().list()).containsExactly(id);
    }
}

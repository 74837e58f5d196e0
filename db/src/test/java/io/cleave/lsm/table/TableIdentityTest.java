package io.cleave.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobWriter;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowTest;
import io.cleave.lsm.table.StoredFamily.CacheMode;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/// A table file knows which file it is, the record that names it knows it too, and a file in the
/// place of another is found when it is opened.
class TableIdentityTest {
    private static final long CELL = 3;
    private static final String OTHER_MEDIUM = "other";

    /// Fields of column 2 stand in a companion.
    private static final TreeSettings APART =
            new TreeSettings(
                    List.of(family("default", ""), family("apart", OTHER_MEDIUM, 2)), false, null);

    private final MemoryBlobs blobs = newBlobs();

    private static MemoryBlobs newBlobs() {
        return new MemoryBlobs(Set.of("", OTHER_MEDIUM));
    }

    private static StoredFamily family(String name, String medium, Integer... columns) {
        return new StoredFamily(
                name, List.of(columns), Compression.NONE, medium, CacheMode.REGULAR);
    }

    @Test
    void aFileSaysWhichOneItIs() {
        Slice slice = write(blobs, TreeSettings.DEFAULT, "a");
        TableIdentity identity = Objects.requireNonNull(slice.identity());
        assertThat(identity.blobId()).isEqualTo(slice.blobId());
        assertThat(identity.cellId()).isEqualTo(CELL);
        assertThat(identity.bytes()).isEqualTo(blobs.open(slice.blobId()).size());
        assertThat(open(blobs, slice).identity()).isEqualTo(identity);
        assertThat(new TableFiles(blobs, 0).check(slice)).isNull();
    }

    @Test
    void aFileOfAnotherIdIsFoundWithoutARecord() {
        Slice first = write(blobs, TreeSettings.DEFAULT, "a");
        Slice second = write(blobs, TreeSettings.DEFAULT, "b");
        MemoryBlobs copied = copy(second.blobId(), first.blobId());
        assertThat(new TableFiles(copied, 0).open(first.blobId())).isNotNull();
        assertThatThrownBy(() -> new TableFiles(copied, 0).open(second.blobId()))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("this is another file")
                .hasMessageContaining("blob 1 of cell 3");
    }

    @Test
    void aFileOfTheSameIdFromAnotherFolderIsFoundByItsRecord() {
        Slice ours = write(blobs, TreeSettings.DEFAULT, "a");
        MemoryBlobs elsewhere = newBlobs();
        Slice theirs = write(elsewhere, TreeSettings.DEFAULT, "b");
        assertThat(theirs.blobId()).isEqualTo(ours.blobId());
        assertThat(open(elsewhere, theirs)).isNotNull();
        assertThatThrownBy(() -> open(elsewhere, ours))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("this is another file");
        assertThat(new TableFiles(elsewhere, 0).check(ours)).isNotNull();
    }

    @Test
    void aCompanionInThePlaceOfAnotherIsFound() {
        Slice first = write(blobs, APART, "a");
        Slice second = write(blobs, APART, "b");
        long companionOfFirst = companion(first);
        MemoryBlobs copied = copy(companion(second), companionOfFirst);
        assertThat(open(copied, first)).isNotNull();
        assertThatThrownBy(() -> open(copied, second))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("blob %d of cell 3".formatted(companionOfFirst));
    }

    private long companion(Slice slice) {
        return open(blobs, slice).meta().companions().getFirst().blobId();
    }

    @Test
    void theChecksumIsThatOfTheWholeFile() {
        Slice slice = write(blobs, TreeSettings.DEFAULT, "a");
        byte[] bytes = bytes(blobs, slice.blobId());
        for (int at = 0; at < bytes.length - Footer.BYTES; at += 7) {
            byte[] changed = bytes.clone();
            changed[at] ^= 1;
            MemoryBlobs other = newBlobs();
            put(other, changed);
            assertThatThrownBy(() -> WholeCheck.run(other.open(1), slice.identity()))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining("checksum of the whole file");
        }
    }

    @Test
    void aRecordOfTheBuildBeforeHasNoIdentityAndOpens() {
        Slice slice = write(blobs, TreeSettings.DEFAULT, "a");
        Slice old = withIdentity(slice, null);
        assertThat(readBack(old)).isEqualTo(old);
        assertThat(readBack(slice)).isEqualTo(slice);
        assertThat(open(blobs, old)).isNotNull();
    }

    private static Slice withIdentity(Slice slice, @Nullable TableIdentity identity) {
        return new Slice(
                slice.blobId(),
                slice.level(),
                slice.generation(),
                slice.from(),
                slice.to(),
                slice.bytes(),
                slice.rows(),
                slice.minTimestamp(),
                slice.maxTimestamp(),
                slice.erasedThrough(),
                slice.ingestedAt(),
                identity);
    }

    private static Slice readBack(Slice slice) {
        var out = new ByteWriter(100);
        slice.writeTo(out);
        var in = new ByteReader(out.toArray(), 0, out.length());
        Slice read = Slice.readFrom(in);
        assertThat(in.hasMore()).isFalse();
        return read;
    }

    private static TableReader open(MemoryBlobs from, Slice slice) {
        return new TableFiles(from, 0).open(slice);
    }

    private static Slice write(MemoryBlobs to, TreeSettings settings, String value) {
        var tree = new LsmTree(new TableFiles(to, 0).ofCell(CELL), LsmOptions.DEFAULT, settings);
        for (int row = 0; row < 20; row++) {
            Bytes change =
                    RowTest.change(RowChange.Kind.REPLACE, "1=x" + row, "2=" + value + row % 10);
            tree.write(Bytes.utf8("key%03d".formatted(row)), row + 1, change);
        }
        return tree.maintenance().writeTables(tree.freeze(), 0).getFirst();
    }

    /// All blobs, but that `over` has the bytes of `source`.
    private MemoryBlobs copy(long over, long source) {
        MemoryBlobs copied = newBlobs();
        for (long id : blobs.list()) {
            long put = put(copied, bytes(blobs, id == over ? source : id));
            assertThat(put).isEqualTo(id);
        }
        return copied;
    }

    private static byte[] bytes(MemoryBlobs from, long id) {
        BlobReader blob = from.open(id);
        byte[] bytes = new byte[(int) blob.size()];
        blob.read(0, bytes.length).get(bytes);
        return bytes;
    }

    private static long put(MemoryBlobs to, byte[] bytes) {
        try (BlobWriter writer = to.create()) {
            writer.write(bytes);
            writer.seal();
            return writer.id();
        }
    }
}

package io.cleave.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.base.Direction;
import io.cleave.base.LittleEndian;
import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobStore;
import io.cleave.blob.BlobWriter;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.TreeRestore;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.row.RowTest;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

class TableFileTest {
    private static final LsmOptions SMALL = new LsmOptions(200, 4, 1 << 20, 4, 1 << 20, 10);

    private static final TreeSettings LZ4 =
            new TreeSettings(
                    List.of(
                            new StoredFamily(
                                    "default",
                                    List.of(),
                                    Compression.LZ4,
                                    "",
                                    StoredFamily.CacheMode.REGULAR)),
                    true,
                    null);

    private final MemoryBlobs blobs = new MemoryBlobs();

    @Test
    void statisticsTellWhatIsInATable() {
        Slice slice = writeTable(100, SMALL);
        TableStatistics statistics = new TableFiles(blobs, 0).open(slice.blobId()).statistics();
        assertThat(statistics.rows()).isEqualTo(100 - 10);
        assertThat(statistics.versions()).isEqualTo(100);
        assertThat(statistics.minTimestamp()).isEqualTo(1);
        assertThat(statistics.maxTimestamp()).isEqualTo(100);
        assertThat(statistics.firstKey()).isEqualTo(key(0));
        assertThat(statistics.lastKey()).isEqualTo(key(99));
        assertThat(slice.rows()).isEqualTo(90);
        assertThat(slice.from()).isEqualTo(key(0));
        assertThat(slice.contains(key(99))).isTrue();
        assertThat(slice.bytes()).isEqualTo(blobs.open(slice.blobId()).size());
    }

    @Test
    void theIndexCountsTheRowsOfEachBlock() {
        TableIndex index = new TableFiles(blobs, 0).open(writeTable(100, SMALL).blobId()).index();
        int rows = 0;
        for (int block = 0; block < index.blockCount(); block++) {
            rows += index.firstRow(block + 1) - index.firstRow(block);
        }
        assertThat(index.blockCount()).isGreaterThan(5);
        assertThat(rows).isEqualTo(100);
    }

    @Test
    void compressibleBlocksAreCompressedAndOthersAreNot() {
        var options = new LsmOptions(4096, 16, 1 << 20, 4, 1 << 20, 10);
        assertThat(writeTable(2000, options, LZ4).bytes())
                .isLessThan(writeTable(2000, options, TreeSettings.DEFAULT).bytes() * 2 / 3);
        var codec = new BlockCodec().new Encoder();
        var noise = new ByteWriter(1000);
        var random = new Random(1);
        for (int count = 0; count < 1000; count++) {
            noise.putByte(random.nextInt(256));
        }
        assertThat(codec.encode(noise, Compression.LZ4).remaining())
                .isEqualTo(1000 + BlockCodec.TRAILER_BYTES);
    }

    @Test
    void everyFlippedBitIsFoundOrHarmless() {
        Slice slice = writeTable(60, SMALL);
        byte[] whole = bytesOf(slice.blobId());
        List<String> rows = scan(blobs, slice);
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                var damaged = storeOf(flipped);
                assertThat(scan(damaged, slice)).as("bit %d", bit).isEqualTo(rows);
            } catch (CorruptionException e) {
                assertThat(e).hasMessageContaining("memory:1");
            }
        }
    }

    @Test
    void everyFlippedBitIsFoundByACheckOfTheWholeTable() {
        Slice slice = writeTable(60, SMALL);
        assertThat(new TableFiles(blobs, 0).check(slice.blobId())).isNull();
        byte[] whole = bytesOf(slice.blobId());
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(new TableFiles(storeOf(flipped), 0).check(1)).as("bit %d", bit).isNotNull();
        }
    }

    @Test
    void aTruncatedTableIsCorruption() {
        Slice slice = writeTable(60, SMALL);
        byte[] whole = bytesOf(slice.blobId());
        for (int length = 0; length < whole.length; length++) {
            var cut = storeOf(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> new TableFiles(cut, 0).open(1))
                    .isInstanceOf(CorruptionException.class);
        }
    }

    @Test
    void aNewerFormatIsRefusedByItsNumber() {
        byte[] bytes = new byte[Footer.BYTES];
        new Footer(new TableMeta.Part(0, 0), 1, 1, 0).encode().get(bytes);
        assertThat(Footer.read(storeOf(bytes).open(1), 1).metaLength()).isZero();
        bytes[Footer.BYTES - 16]++;
        var checksum = new CRC32C();
        checksum.update(bytes, 0, Footer.BYTES - 12);
        LittleEndian.putInt(bytes, Footer.BYTES - 12, (int) checksum.getValue());
        assertThatThrownBy(() -> Footer.read(storeOf(bytes).open(1), 1))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("format 3");
    }

    @Test
    void aDeletedTableIsStillReadByThoseWhoHaveIt() {
        var files = new TableFiles(blobs, 1 << 20);
        Slice slice = writeTable(200, SMALL);
        LsmTree tree = restored(files, slice);
        RowCursor cursor =
                tree.scan(
                        Bytes.EMPTY, null, Projection.ALL, 1000, Direction.FORWARD, ReadWatch.NONE);
        assertThat(cursor.next()).isTrue();

        tree.compacted(List.of(slice), List.of());
        files.delete(slice.blobId());

        int rows = 1;
        while (cursor.next()) {
            rows++;
        }
        assertThat(rows).isEqualTo(180);
        assertThat(blobs.list()).isEmpty();
        assertThat(tree.get(key(1), Projection.ALL, 1000, ReadWatch.NONE)).isNull();
    }

    /// Every tenth row is erased.
    private Slice writeTable(int rowCount, LsmOptions options) {
        return writeTable(rowCount, options, LZ4);
    }

    private Slice writeTable(int rowCount, LsmOptions options, TreeSettings settings) {
        var tree = new LsmTree(new TableFiles(blobs, 0), options, settings);
        for (int row = 0; row < rowCount; row++) {
            Bytes change =
                    row % 10 == 0
                            ? RowChange.ERASE
                            : RowTest.change(RowChange.Kind.UPSERT, "1=value " + row, "2");
            tree.write(key(row), row + 1, change);
        }
        List<Slice> slices = tree.maintenance().writeTables(tree.freeze(), 0);
        assertThat(slices).hasSize(1);
        return slices.getFirst();
    }

    private static Bytes key(int row) {
        return Bytes.utf8("key %05d".formatted(row));
    }

    private static List<String> scan(BlobStore store, Slice slice) {
        LsmTree tree = restored(new TableFiles(store, 0), slice);
        RowCursor cursor =
                tree.scan(
                        Bytes.EMPTY, null, Projection.ALL, 1000, Direction.FORWARD, ReadWatch.NONE);
        List<String> rows = new ArrayList<>();
        while (cursor.next()) {
            Row row = cursor.row();
            int field = row.fieldIndex(1);
            Bytes text = Bytes.copyOf(row.data(field), row.from(field), row.to(field));
            rows.add(row.key().utf8() + "=" + text.utf8() + "@" + row.timestamp());
        }
        return rows;
    }

    private byte[] bytesOf(long id) {
        BlobReader reader = blobs.open(id);
        byte[] bytes = new byte[(int) reader.size()];
        reader.read(0, bytes.length).get(bytes);
        return bytes;
    }

    /// A store whose blob 1, the first one as everywhere in this test, has these bytes.
    private static BlobStore storeOf(byte[] bytes) {
        var store = new MemoryBlobs();
        try (BlobWriter writer = store.create()) {
            writer.write(bytes);
            writer.seal();
        }
        return store;
    }

    private static LsmTree restored(TableFiles files, Slice slice) {
        return new TreeRestore(
                        files, SMALL, TreeSettings.DEFAULT, List.of(slice), List.of(), List.of(2L))
                .finish();
    }
}

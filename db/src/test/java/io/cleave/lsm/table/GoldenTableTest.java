package io.cleave.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobWriter;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.TreeRestore;
import io.cleave.lsm.row.FieldsTest;
import io.cleave.lsm.row.KeySample;
import io.cleave.lsm.row.KeySampler;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.row.RowTest;
import io.cleave.lsm.table.StoredFamily.CacheMode;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// Table files as each format has them, once with their fields beside the keys and once with
/// families apart. They are in the tests so that a change of the format cannot go unnoticed: files
/// that users have must stay readable, or get a new number. `-Dgolden=write` makes those of the
/// newest format anew.
class GoldenTableTest {
    private static final int ROWS = 300;
    private static final LsmOptions OPTIONS = new LsmOptions(1000, 4, 1 << 20, 2, 1 << 20, 10);
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    @Test
    void aFileWithOneFamilyReadsAsItDid() {
        check("plain.bin", settings(List.of(StoredFamily.DEFAULT)));
    }

    @Test
    void aFileWithASampleOfItsKeysReadsAsItDid() {
        TableReader table = check("plain.bin", settings(List.of(StoredFamily.DEFAULT)));
        TableMeta.Garbage garbage = Objects.requireNonNull(table.meta().garbage());
        assertThat(garbage.eraseBytes()).isBetween(ROWS / 10L, ROWS * 2L);
        KeySample sample = garbage.sample();
        assertThat(sample.count()).isBetween(KeySampler.MOST / 2, KeySampler.MOST);
        for (int row = 0; row < ROWS; row++) {
            byte[] key = key(row).array();
            long hash = KeySampler.sampled(Keys.hash(key, key.length));
            int found = sample.find(hash);
            assertThat(found >= 0).isEqualTo(hash < sample.bound());
            assertThat(found >= 0 && sample.isErased(found)).isEqualTo(found >= 0 && row % 10 == 0);
        }
    }

    @Test
    void aFileWithSeveralFamiliesReadsAsItDid() {
        check(
                "groups.bin",
                settings(
                        List.of(
                                family("default", Compression.LZ4),
                                family("narrow", Compression.NONE, 1),
                                family("wide", Compression.LZ4, 2, 4))));
    }

    private static TableReader check(String name, TreeSettings settings) {
        if (System.getProperty("golden", "").equals("write")) {
            write("table-2-" + name, settings);
        }
        TableReader old = checkFile("table-1-" + name, settings, Footer.OLD_FORMAT);
        assertThat(old.meta().garbage()).isNull();
        return checkFile("table-2-" + name, settings, Footer.FORMAT);
    }

    private static TableReader checkFile(String name, TreeSettings settings, int format) {
        var blobs = new MemoryBlobs();
        try (BlobWriter writer = blobs.create()) {
            writer.write(read(name));
            writer.seal();
        }
        var files = new TableFiles(blobs, 1 << 20);
        long blobId = blobs.list().getFirst();
        assertThat(files.check(blobId)).isNull();
        TableReader table = files.open(blobId);
        assertThat(table.identity() == null).isEqualTo(format == Footer.OLD_FORMAT);
        assertThat(table.meta().families()).isEqualTo(settings.families());
        assertThat(table.hasFilter()).isTrue();
        TableStatistics told = table.statistics();
        assertThat(told.rows()).isEqualTo(ROWS - ROWS / 10);
        assertThat(told.versions()).isEqualTo(ROWS + ROWS / 3);
        assertThat(told.erases()).isEqualTo(ROWS / 10 + ROWS / 30);
        assertThat(told.earliestExpiry()).isEqualTo(1_000_000);
        assertThat(table.meta().histogram().rows()).isEqualTo(told.rows());

        var slice =
                new Slice(
                        blobId,
                        0,
                        1,
                        told.firstKey(),
                        null,
                        table.bytes(),
                        told.rows(),
                        told.minTimestamp(),
                        told.maxTimestamp());
        LsmTree tree =
                new TreeRestore(files, OPTIONS, settings, List.of(slice), List.of(), List.of(2L))
                        .finish();
        assertThat(rows(tree, 1000)).isEqualTo(expected(true));
        assertThat(rows(tree, ROWS)).isEqualTo(expected(false));
        for (int row = 0; row < ROWS; row++) {
            Row found = tree.get(key(row), Projection.ALL, 1000, ReadWatch.NONE);
            assertThat(found == null).isEqualTo(row % 10 == 0);
        }
        return table;
    }

    private static List<String> rows(LsmTree tree, long snapshot) {
        RowCursor cursor =
                tree.scan(
                        Bytes.EMPTY,
                        null,
                        Projection.ALL,
                        snapshot,
                        Direction.FORWARD,
                        ReadWatch.NONE);
        List<String> rows = new ArrayList<>();
        while (cursor.next()) {
            Row row = cursor.row();
            rows.add(row.key().utf8() + " " + FieldsTest.text(row) + " @" + row.timestamp());
        }
        return rows;
    }

    private static List<String> expected(boolean updated) {
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            boolean second = updated && row % 3 == 1;
            if (row % 10 != 0) {
                String four = second ? "4=updated " + row : row % 2 == 0 ? "4" : "4=first";
                long timestamp = second ? ROWS + row + 1 : row + 1;
                rows.add(
                        "%s 1=%04d 2=%s %s 9=%s @%d"
                                .formatted(
                                        key(row).utf8(),
                                        row,
                                        "x".repeat(row % 40),
                                        four,
                                        "\1\0\0\0",
                                        timestamp));
            }
        }
        return rows;
    }

    private static void write(String name, TreeSettings settings) {
        var blobs = new MemoryBlobs();
        var tree = new LsmTree(new TableFiles(blobs, 0), OPTIONS, settings);
        for (int row = 0; row < ROWS; row++) {
            String four = row % 2 == 0 ? "4" : "4=first";
            Bytes change =
                    row % 10 == 0
                            ? RowChange.ERASE
                            : RowTest.change(
                                    RowChange.Kind.REPLACE,
                                    "1=%04d".formatted(row),
                                    "2=" + "x".repeat(row % 40),
                                    four,
                                    "9=\1\0\0\0");
            tree.write(key(row), row + 1, change);
        }
        for (int row = 1; row < ROWS; row += 3) {
            Bytes change =
                    row % 10 == 0
                            ? RowChange.ERASE
                            : RowTest.change(RowChange.Kind.UPSERT, "4=updated " + row);
            tree.write(key(row), ROWS + row + 1, change);
        }
        Slice slice = tree.maintenance().writeTables(tree.freeze(), 0).getFirst();
        BlobReader reader = blobs.open(slice.blobId());
        byte[] bytes = new byte[(int) reader.size()];
        reader.read(0, bytes.length).get(bytes);
        try {
            Files.createDirectories(FOLDER);
            Files.write(FOLDER.resolve(name), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] read(String name) {
        try (InputStream in = GoldenTableTest.class.getResourceAsStream("/golden/" + name)) {
            if (in == null || System.getProperty("golden", "").equals("write")) {
                return Files.readAllBytes(FOLDER.resolve(name));
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Bytes key(int row) {
        return Bytes.utf8("key/%02d/%05d".formatted(row / 100, row));
    }

    private static TreeSettings settings(List<StoredFamily> families) {
        return new TreeSettings(families, true, new Expiry(9, TimeUnit.SECONDS));
    }

    private static StoredFamily family(String name, Compression compression, Integer... columns) {
        return new StoredFamily(name, List.of(columns), compression, "", CacheMode.REGULAR);
    }
}

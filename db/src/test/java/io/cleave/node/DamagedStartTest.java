package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.log.OnDamage;
import io.cleave.testkit.LogLines;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A node whose folder was damaged after it was killed: it does not start, and says what would be
/// lost; it starts when the loss is accepted.
class DamagedStartTest {
    private static final String COUNT = "SELECT COUNT(*) FROM t";
    private static final String COUNT_OF_INDEX = "SELECT COUNT(*) FROM t VIEW by_a";

    /// A key there, which is in the second cell.
    private static final long SECOND_TABLET = 1L << 62;

    // On disk: docs/formats.
    private static final int SEGMENT_HEADER = 28;
    private static final int RECORD_HEADER = 20;
    private static final int DECIDE = 18;

    @TempDir private Path temp;
    private Path data;

    /// As it is found after a kill, some time after the last commit.
    @BeforeEach
    void kill() throws Exception {
        data = temp.resolve("data");
        Path running = temp.resolve("running");
        try (Node node = Node.start(NodeOptions.inFolder(running).withUserCells(2))) {
            GoldenNodeTest.run(
                    node,
                    "CREATE TABLE t (k Uint64, a Int32, PRIMARY KEY (k), INDEX by_a GLOBAL ON (a))"
                            + " WITH (UNIFORM_PARTITIONS = 4)");
            for (int number = 0; number < 5; number++) {
                GoldenNodeTest.run(
                        node,
                        "UPSERT INTO t (k, a) VALUES (%dul, 1), (%dul, 2)"
                                .formatted(number, SECOND_TABLET + number));
            }
            awaitMarks(running);
            FolderCopy.copy(running, data);
        }
    }

    /// Until the last frame of each log with records is a mark: nothing is written from then on.
    private static void awaitMarks(Path folder) throws IOException {
        for (Path segment : segments(folder)) {
            byte[] bytes = Files.readAllBytes(segment);
            while (end(bytes) > SEGMENT_HEADER && !isMark(bytes, end(bytes))) {
                Thread.onSpinWait();
                bytes = Files.readAllBytes(segment);
            }
        }
    }

    /// Its header ends with zeroes: a group of 0, and the high bytes of a small position.
    private static boolean isMark(byte[] bytes, int end) {
        int from = end - 9; // checksum, length -1, and one byte of the position
        return from >= SEGMENT_HEADER
                && bytes[from + 4] == -1
                && bytes[from + 5] == -1
                && bytes[from + 6] == -1
                && bytes[from + 7] == -1;
    }

    @Test
    void aChangedByteInTheLastRecordIsRefused() throws Exception {
        Path segment = damageLastRecord();
        assertThatThrownBy(() -> start(OnDamage.REFUSE))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(segment.toString())
                .hasMessageContaining("would be lost")
                .hasMessageContaining("--accept-loss");
        assertThat(Fsck.run(data, Map.of()).text())
                .contains("DAMAGE " + segment)
                .contains("would be lost")
                .endsWith("1 damage\n");
    }

    @Test
    void theRestIsThereWhenTheLossIsAccepted() throws Exception {
        Path segment = damageLastRecord();
        String left;
        try (var lines = LogLines.of(StartLosses.class);
                Node node = start(OnDamage.ACCEPT_LOSS)) {
            assertThat(lines.all())
                    .anyMatch(line -> line.matches("WARNING .*gave up 1 record.* in .*"))
                    .anyMatch(line -> line.contains(segment + " at"));
            left = GoldenNodeTest.run(node, COUNT);
            assertThat(left).isIn("8\n", "9\n", "10\n");
            GoldenNodeTest.run(node, "UPSERT INTO t (k, a) VALUES (77ul, 1)");
        }
        try (Node node = start(OnDamage.REFUSE)) {
            assertThat(GoldenNodeTest.run(node, COUNT)).isNotEqualTo(left);
        }
    }

    /// The tables whose records are in the missing part would be dropped with all their rows.
    @Test
    void aCatalogWhoseLogWasCutOffIsRefused() throws Exception {
        int end = end(Files.readAllBytes(catalogSegment()));
        int refusedCount = 0;
        Path withoutTables = null;
        for (int length = SEGMENT_HEADER + 1; length < end; length += end / 40) {
            Path copy = copyWithCatalogOf(length);
            String report = Fsck.run(copy, Map.of()).text();
            try (Node node = start(copy, OnDamage.REFUSE)) {
                assertThat(GoldenNodeTest.run(node, COUNT))
                        .as("the catalog's log has %d bytes", length)
                        .isEqualTo("10\n");
                assertThat(report).contains("clean");
            } catch (StartException e) {
                assertThat(e).hasMessageContaining("the catalog");
                assertThat(report).contains("DAMAGE the catalog");
                refusedCount++;
                if (e.getMessage().contains("the catalog has lost table")) {
                    withoutTables = copy;
                }
            }
        }
        assertThat(refusedCount).isPositive();
        assertThat(withoutTables).isNotNull();
        try (Node node = start(withoutTables, OnDamage.ACCEPT_LOSS)) {
            GoldenNodeTest.run(node, "CREATE TABLE other (k Uint64, PRIMARY KEY (k))");
        }
        try (Node node = start(withoutTables, OnDamage.REFUSE)) {
            assertThat(GoldenNodeTest.run(node, "SELECT COUNT(*) FROM other")).isEqualTo("0\n");
        }
    }

    private Path catalogSegment() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("cells/0/log"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList()
                    .getLast();
        }
    }

    private Path copyWithCatalogOf(int length) throws IOException {
        Path copy = temp.resolve("catalog-of-" + length);
        FolderCopy.copy(data, copy);
        Path segment = catalogSegment();
        byte[] bytes = Arrays.copyOf(Files.readAllBytes(segment), length);
        Files.write(copy.resolve(data.relativize(segment)), bytes);
        return copy;
    }

    @Test
    void aMissingNumberOfBlobsIsMadeAnewWhenThatIsAccepted() throws Exception {
        try (Node node = start(OnDamage.REFUSE)) {
            node.store().tablets().compact("/local/t");
        }
        Path number = data.resolve("blobs/next-id");
        Files.delete(number);
        assertThatThrownBy(() -> start(OnDamage.REFUSE))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(number.toString());
        try (Node node = start(OnDamage.ACCEPT_LOSS)) {
            GoldenNodeTest.run(node, "UPSERT INTO t (k, a) VALUES (77ul, 1)");
            node.store().tablets().compact("/local/t");
        }
        try (Node node = start(OnDamage.REFUSE)) {
            assertThat(GoldenNodeTest.run(node, COUNT)).isEqualTo("11\n");
        }
    }

    @Test
    void theRowsOfAMissingTableFileAreGoneWhenThatIsAccepted() throws Exception {
        try (Node node = start(OnDamage.REFUSE)) {
            node.store().tablets().compact("/local/t");
        }
        Path file;
        try (Stream<Path> files = Files.list(data.resolve("blobs"))) {
            file = files.filter(each -> each.toString().endsWith(".blob")).sorted().toList().get(0);
        }
        Files.delete(file);
        assertThatThrownBy(() -> start(OnDamage.REFUSE))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("would be lost")
                .hasMessageContaining("--accept-loss");
        String left;
        try (var lines = LogLines.of(StartLosses.class);
                Node node = start(OnDamage.ACCEPT_LOSS)) {
            assertThat(lines.all())
                    .anySatisfy(
                            line ->
                                    assertThat(line)
                                            .startsWith("WARNING ")
                                            .contains("because of --accept-loss, without " + file)
                                            .containsPattern(
                                                    "about \\d+ rows of tablet \\d+ of /"));
            left = GoldenNodeTest.run(node, COUNT) + GoldenNodeTest.run(node, COUNT_OF_INDEX);
            assertThat(left).isNotEqualTo("10\n10\n");
        }
        try (Node node = start(OnDamage.REFUSE)) {
            assertThat(GoldenNodeTest.run(node, COUNT) + GoldenNodeTest.run(node, COUNT_OF_INDEX))
                    .isEqualTo(left);
        }
        assertThat(Fsck.run(data, Map.of()).text()).doesNotContain(file.toString());
    }

    /// The end of a log is gone as if it had never been there; another cell knows that it was.
    @Test
    void aPartOfATransactionThatAnotherCellKnowsOfIsMissed() throws Exception {
        Path segment = data.resolve("cells/1/log/0000000000000000-00000001.log");
        cutFromLastDecision(segment);
        String part = "cell 1 has lost its part of transaction";
        assertThatThrownBy(() -> start(OnDamage.REFUSE))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(part)
                .hasMessageContaining("cell 2 has it as ended")
                .hasMessageContaining("--accept-loss");
        assertThat(Fsck.run(data, Map.of()).text())
                .contains("DAMAGE " + segment.getParent() + ": " + part)
                .endsWith("1 damage\n");
        try (var lines = LogLines.of(StartLosses.class)) {
            start(OnDamage.ACCEPT_LOSS).close();
            assertThat(lines.all())
                    .anySatisfy(
                            line ->
                                    assertThat(line)
                                            .startsWith("WARNING " + part)
                                            .contains("without it, because of --accept-loss"));
        }
        try (Node node = start(OnDamage.REFUSE)) {
            assertThat(GoldenNodeTest.run(node, COUNT)).isIn("8\n", "9\n", "10\n");
        }
    }

    @Test
    void aTornTailIsCutAndThatIsOneLine() throws Exception {
        Path segment = segments(data).getFirst();
        byte[] bytes = Files.readAllBytes(segment);
        byte[] torn = "half a record".getBytes(StandardCharsets.US_ASCII);
        int end = wholeEnd(bytes);
        bytes = Arrays.copyOf(bytes, end + torn.length);
        System.arraycopy(torn, 0, bytes, end, torn.length);
        Files.write(segment, bytes);
        try (var lines = LogLines.of(StartLosses.class);
                Node node = start(OnDamage.REFUSE)) {
            assertThat(lines.all()).hasSize(1);
            assertThat(lines.all().getFirst())
                    .startsWith("WARNING cell ")
                    .contains("cut %d bytes off %s at %d".formatted(torn.length, segment, end));
            assertThat(GoldenNodeTest.run(node, COUNT)).isEqualTo("10\n");
        }
        try (var lines = LogLines.of(StartLosses.class);
                Node node = start(OnDamage.REFUSE)) {
            assertThat(lines.all()).isEmpty();
            assertThat(GoldenNodeTest.run(node, COUNT)).isEqualTo("10\n");
        }
    }

    /// Behind the last frame, zeroes at the end of a frame included.
    private static int wholeEnd(byte[] bytes) {
        ByteBuffer frames = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int offset = SEGMENT_HEADER;
        while (offset + RECORD_HEADER < bytes.length && frames.getInt(offset) != 0) {
            offset += RECORD_HEADER + Math.max(0, frames.getInt(offset + 4));
        }
        return offset;
    }

    private static void cutFromLastDecision(Path segment) throws IOException {
        byte[] bytes = Files.readAllBytes(segment);
        ByteBuffer frames = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int decision = -1;
        int offset = SEGMENT_HEADER;
        while (offset + RECORD_HEADER < bytes.length && frames.getInt(offset) != 0) {
            int length = frames.getInt(offset + 4);
            if (length > 0 && bytes[offset + RECORD_HEADER] == DECIDE) {
                decision = offset;
            }
            offset += RECORD_HEADER + Math.max(0, length);
        }
        assertThat(decision).isPositive();
        Files.write(segment, Arrays.copyOf(bytes, decision));
    }

    @Test
    void anUndamagedOneHasAllRows() throws Exception {
        try (Node node = start(OnDamage.REFUSE)) {
            assertThat(GoldenNodeTest.run(node, COUNT)).isEqualTo("10\n");
            assertThat(GoldenNodeTest.run(node, COUNT_OF_INDEX)).isEqualTo("10\n");
        }
    }

    /// In a cell that has rows: one byte before the mark.
    private Path damageLastRecord() throws IOException {
        Path segment = null;
        for (Path each : segments(data)) {
            if (segment == null
                    || end(Files.readAllBytes(each)) > end(Files.readAllBytes(segment))) {
                segment = each;
            }
        }
        byte[] bytes = Files.readAllBytes(segment);
        bytes[end(bytes) - 12] ^= 4;
        Files.write(segment, bytes);
        return segment;
    }

    private Node start(OnDamage onDamage) throws StartException {
        return start(data, onDamage);
    }

    private static Node start(Path folder, OnDamage onDamage) throws StartException {
        return Node.start(NodeOptions.inFolder(folder).withUserCells(2), onDamage, _ -> {});
    }

    /// Of the user cells.
    private static List<Path> segments(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .filter(file -> !file.startsWith(folder.resolve("cells/0")))
                    .toList();
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

package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.disk.FileDisk;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a crash or a bad disk does to the last segment.
class LogCrashTest {
    private static final String FILE = "0000000000000000-00000001.log";

    /// One or two bits of every byte, each of the eight in turn: opening syncs, and takes its time.
    private static final int BIT_STEP = 7;

    /// What a small group takes at the end of the file, with zeroes.
    private static final int ROOM = 256 << 10;

    @TempDir Path temp;
    private Path dir;
    private Path file;
    private byte[] whole;

    /// Where each record ends, each a group of its own.
    private final List<Integer> ends = new ArrayList<>();

    private final List<String> records = new ArrayList<>();

    @BeforeEach
    void writeRecords() throws IOException {
        dir = temp.resolve("log");
        file = dir.resolve(FILE);
        Log log = LocalLogTest.open(dir);
        LogWriter writer = log.openWriter();
        for (int count = 0; count < 8; count++) {
            String text = "r".repeat(count * 3) + count;
            LogContract.append(writer, text);
            records.add(count + ":" + text);
            ends.add((int) endOf(count) + RecordHeader.BYTES + text.length());
        }
        log.close();
        // The segment that marks a clean end: these logs have none.
        Files.delete(dir.resolve("0000000000000008-00000001.log"));
        whole = Files.readAllBytes(file);
    }

    @Test
    void aCrashAtEveryByteLeavesExactlyTheWholeRecords() throws IOException {
        for (int length = SegmentHeader.BYTES; length <= whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            List<String> expected = records.subList(0, wholeRecords(length));

            Log log = LocalLogTest.open(dir);
            assertThat(LogContract.readAll(log, 0)).as("cut at %d", length).isEqualTo(expected);
            assertThat(Files.size(file)).isEqualTo(endOf(expected.size()));
            if (length % 7 == 0) {
                checkGoesOn(log, expected.size());
            }
        }
    }

    private void checkGoesOn(Log log, int recordCount) throws IOException {
        LogWriter writer = log.openWriter();
        assertThat(LogContract.append(writer, "next")).isEqualTo(recordCount);
        log.close();

        Log again = LocalLogTest.open(dir);
        assertThat(LogContract.readAll(again, 0)).hasSize(recordCount + 1);
        removeAll();
    }

    @Test
    void zeroesAfterTheLastRecordAreATornTail() throws IOException {
        for (int zeroes = 1; zeroes < 100; zeroes++) {
            Files.write(file, Arrays.copyOf(whole, whole.length + zeroes));
            assertThat(LogContract.readAll(LocalLogTest.open(dir), 0)).isEqualTo(records);
            assertThat(Files.size(file)).isEqualTo(whole.length);
        }
    }

    @Test
    void aFlippedBitIsCorruptionUnlessItCouldBeTheTornLastGroup() throws IOException {
        for (int bit = 0; bit < whole.length * 8; bit += BIT_STEP) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file, flipped);
            if (bit / 8 < ends.get(records.size() - 2)) {
                assertThatThrownBy(() -> LogContract.readAll(LocalLogTest.open(dir), 0))
                        .as("bit %d", bit)
                        .isInstanceOf(CorruptionException.class)
                        .hasMessageContaining(FILE);
                assertThat(file).hasBinaryContent(flipped);
            } else {
                assertThat(LogContract.readAll(LocalLogTest.open(dir), 0))
                        .as("bit %d", bit)
                        .isEqualTo(records.subList(0, records.size() - 1));
            }
        }
    }

    @Test
    void aFlippedBitInAnEarlierSegmentIsCorruption() throws IOException {
        Log log = LocalLogTest.open(dir);
        LogContract.append(log.openWriter(), "in a segment of its own");
        log.close();
        for (int bit = SegmentHeader.BYTES * 8; bit < whole.length * 8; bit += BIT_STEP) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file, flipped);
            assertThatThrownBy(() -> LogContract.readAll(LocalLogTest.open(dir), 0))
                    .as("bit %d", bit)
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining(FILE);
        }
    }

    /// What a process leaves that is killed: space for more records, which is no damage.
    @Test
    void theZeroesAheadOfTheRecordsAreCutAndAreNoDamage() throws IOException {
        SegmentWriter writer = writerOf(file);
        for (int count = 8; count < 20; count++) {
            writer.commit(count, List.of(Bytes.utf8("more")));
            records.add(count + ":more");
            assertThat(Files.size(file)).isEqualTo(whole.length + ROOM);
        }
        assertThat(LogCheck.run(new FileDisk(), dir).problems()).isEmpty();
        assertThat(LogContract.readAll(LocalLogTest.open(dir), 0)).isEqualTo(records);
        assertThat(Files.size(file)).isEqualTo(writer.segmentBytes());
    }

    @Test
    void aSegmentThatIsClosedHasNoZeroes() throws IOException {
        SegmentWriter writer = writerOf(file);
        writer.commit(8, List.of(Bytes.utf8("more")));
        assertThat(Files.size(file)).isGreaterThan(writer.segmentBytes());
        writer.close();
        assertThat(Files.size(file)).isEqualTo(writer.segmentBytes());
    }

    @Test
    void aLargeGroupGoesOverTheZeroesAndBeyond() throws IOException {
        String large = "l".repeat(ROOM * 2);
        try (var writer = writerOf(file)) {
            writer.commit(8, List.of(Bytes.utf8("small")));
            writer.commit(9, List.of(Bytes.utf8(large), Bytes.utf8("small")));
            writer.commit(11, List.of(Bytes.utf8("small")));
        }
        records.addAll(List.of("8:small", "9:" + large, "10:small", "11:small"));
        assertThat(LogContract.readAll(LocalLogTest.open(dir), 0)).isEqualTo(records);
    }

    private static SegmentWriter writerOf(Path file) throws IOException {
        return new SegmentWriter(new FileDisk(), Segment.open(new FileDisk(), file), 64 << 20);
    }

    /// A disk may write the pages of one sync in any order: a hole with good records behind it is
    /// still a torn tail if all of it was one group.
    @Test
    void aHoleInTheLastGroupIsATornTail() throws IOException {
        try (var writer = writerOf(file)) {
            writer.commit(
                    8, List.of(Bytes.utf8("first"), Bytes.utf8("second"), Bytes.utf8("third")));
        }
        byte[] holed = Files.readAllBytes(file);
        Arrays.fill(holed, whole.length, whole.length + RecordHeader.BYTES, (byte) 0);
        Files.write(file, holed);
        assertThat(LogContract.readAll(LocalLogTest.open(dir), 0)).isEqualTo(records);
    }

    private int wholeRecords(int length) {
        return (int) ends.stream().filter(end -> end <= length).count();
    }

    private long endOf(int recordCount) {
        return recordCount == 0 ? SegmentHeader.BYTES : ends.get(recordCount - 1);
    }

    private void removeAll() throws IOException {
        for (Path segment : Segment.list(new FileDisk(), dir)) {
            Files.delete(segment);
        }
    }
}

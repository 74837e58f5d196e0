package io.cleave.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.BlobReader;
import io.cleave.blob.ForwardingBlobs;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.TreeRestore;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What a blob store is told before it is read: a get asks for one block, a scan asks ahead, and
/// nothing is read that was not asked for.
class ReadAheadTest {
    private static final int ROWS = 4_000;
    private static final int ROW_BYTES = 1_000;
    private static final int CACHE_BYTES = 64 << 20;

    private final HintedBlobs blobs = new HintedBlobs();
    private final LsmTree writer = new LsmTree(new TableFiles(blobs, 0), LsmOptions.DEFAULT);

    private record Range(long from, long to) {
        long bytes() {
            return to - from;
        }
    }

    private LsmTree loaded() {
        var random = new Random(1);
        for (int row = 0; row < ROWS; row++) {
            byte[] field = new byte[ROW_BYTES];
            random.nextBytes(field);
            writer.write(
                    key(row),
                    row + 1,
                    RowChange.encode(RowChange.Kind.REPLACE, new int[] {1}, new byte[][] {field}));
        }
        List<Slice> slices = writer.maintenance().writeTables(writer.freeze(), 0);
        LsmTree tree =
                new TreeRestore(
                                new TableFiles(blobs, CACHE_BYTES),
                                LsmOptions.DEFAULT,
                                TreeSettings.DEFAULT,
                                slices,
                                List.of(),
                                List.of(2L))
                        .finish();
        blobs.hints.clear();
        return tree;
    }

    private static Bytes key(int row) {
        return Bytes.utf8("key%06d".formatted(row));
    }

    @Test
    void aGetAsksForItsBlockAndNoMore() {
        LsmTree tree = loaded();
        for (int row : new int[] {3000, 17, 2000}) {
            blobs.hints.clear();
            assertThat(tree.get(key(row), Projection.ALL, Long.MAX_VALUE, ReadWatch.NONE))
                    .isNotNull();
            assertThat(blobs.hints).hasSize(1);
            assertThat(blobs.hints.getFirst().bytes())
                    .isLessThan(LsmOptions.DEFAULT.blockBytes() + 2 * ROW_BYTES);
        }
    }

    @Test
    void aGetOfACachedBlockAsksForNothing() {
        LsmTree tree = loaded();
        tree.get(key(100), Projection.ALL, Long.MAX_VALUE, ReadWatch.NONE);
        blobs.hints.clear();
        tree.get(key(100), Projection.ALL, Long.MAX_VALUE, ReadWatch.NONE);
        assertThat(blobs.hints).isEmpty();
    }

    @Test
    void aScanAsksAheadInWindowsThatGrow() {
        LsmTree tree = loaded();
        assertThat(scan(tree, Direction.FORWARD)).isEqualTo(ROWS);
        List<Range> hints = blobs.hints;
        assertThat(hints.getFirst().bytes())
                .isLessThan(LsmOptions.DEFAULT.blockBytes() + 2 * ROW_BYTES);
        int block = LsmOptions.DEFAULT.blockBytes() + 2 * ROW_BYTES;
        int window = ReadAhead.FIRST_BYTES;
        for (Range hint : hints.subList(1, hints.size() - 1)) {
            assertThat(hint.bytes()).isBetween((long) window, (long) window + block);
            window = Math.min(2 * window, ReadAhead.MOST_BYTES);
        }
        for (int number = 1; number < hints.size(); number++) {
            assertThat(hints.get(number).from()).isEqualTo(hints.get(number - 1).to());
        }
    }

    @Test
    void aBackwardScanAsksAheadTheOtherWay() {
        LsmTree tree = loaded();
        assertThat(scan(tree, Direction.BACKWARD)).isEqualTo(ROWS);
        List<Range> hints = blobs.hints;
        assertThat(hints.size()).isLessThan(20);
        for (int number = 1; number < hints.size(); number++) {
            assertThat(hints.get(number).to()).isEqualTo(hints.get(number - 1).from());
        }
    }

    @Test
    void aScanOfWhatIsCachedAsksForNothing() {
        LsmTree tree = loaded();
        scan(tree, Direction.FORWARD);
        blobs.hints.clear();
        scan(tree, Direction.FORWARD);
        scan(tree, Direction.BACKWARD);
        assertThat(blobs.hints).isEmpty();
    }

    private static int scan(LsmTree tree, Direction direction) {
        RowCursor cursor =
                tree.scan(
                        Bytes.EMPTY,
                        null,
                        Projection.ALL,
                        Long.MAX_VALUE,
                        direction,
                        ReadWatch.NONE);
        int rows = 0;
        while (cursor.next()) {
            rows++;
        }
        return rows;
    }

    /// Notes the hints, and refuses to read what was not asked for.
    private static final class HintedBlobs extends ForwardingBlobs {
        private final List<Range> hints = new ArrayList<>();
        private final List<Range> asked = new ArrayList<>();

        HintedBlobs() {
            super(new MemoryBlobs());
        }

        @Override
        public BlobReader open(long id) {
            return new Reader(blobs.open(id)) {
                @Override
                public ByteBuffer read(long offset, int length) {
                    assertThat(asked)
                            .as("hints before [%d, +%d)", offset, length)
                            .anyMatch(hint -> hint.from <= offset && offset + length <= hint.to);
                    return super.read(offset, length);
                }

                @Override
                public void willRead(long offset, long length) {
                    if (length > 0) {
                        hints.add(new Range(offset, offset + length));
                        asked.add(hints.getLast());
                    }
                }
            };
        }
    }
}

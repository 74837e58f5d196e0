package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.plan.Program.ResultColumn;
import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.wire.PartedResults.Room;
import io.cleave.wire.value.EncodedSets;
import io.cleave.wire.value.MessageSets;
import io.cleave.wire.value.WireBuffer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.ValueProtos.ResultSet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

class PartedResultsTest {
    private static final ResultShape SHAPE =
            new ResultShape(List.of(new ResultColumn("text", Primitive.UTF8)));

    private final List<String> parts = new ArrayList<>();

    private PartedResults<ResultSet> results(long partBytes, boolean columnsInEachPart) {
        return new PartedResults<>(
                new MessageSets(),
                (txId, index, set) -> parts.add(txId + index + shown(set)),
                Room.FOR_SHORT_ANSWERS,
                partBytes,
                columnsInEachPart);
    }

    private static String shown(@Nullable ResultSet set) {
        return set == null ? "none" : ":" + set.getColumnsCount() + "c" + set.getRowsCount() + "r";
    }

    private static void rows(PartedResults<ResultSet> results, int index, int count) {
        results.begin(index, SHAPE);
        for (int row = 0; row < count; row++) {
            results.row(index, new Value[] {Value.text("x".repeat(90))});
        }
        results.end(index, false);
    }

    @Test
    void partsAreCutBySizeAndTheLastIsHeldBack() {
        PartedResults<ResultSet> results = results(300, true);
        results.transaction("tx");
        rows(results, 0, 7);
        assertThat(parts).containsExactly("tx0:1c3r", "tx0:1c3r");
        assertThat(shown(results.finish())).isEqualTo(":1c1r");
    }

    @Test
    void columnsComeOnceWhenThatIsWanted() {
        PartedResults<ResultSet> results = results(300, false);
        rows(results, 0, 4);
        rows(results, 1, 1);
        assertThat(parts).containsExactly("0:1c3r", "0:0c1r");
        assertThat(shown(results.finish())).isEqualTo(":1c1r");
        assertThat(results.lastIndex()).isEqualTo(1);
    }

    @Test
    void anEmptyResultSetIsAPartToo() {
        PartedResults<ResultSet> results = results(300, true);
        rows(results, 0, 0);
        rows(results, 1, 0);
        assertThat(parts).containsExactly("0:1c0r");
        assertThat(shown(results.finish())).isEqualTo(":1c0r");
    }

    @Test
    void aRowLargerThanAPartGoesAlone() {
        PartedResults<ResultSet> results = results(10, true);
        rows(results, 0, 2);
        assertThat(parts).containsExactly("0:1c1r");
    }

    /// Rows of all lengths, over the border where a length takes a byte more.
    @Test
    void partsAsBytesReadAsThoseOfMessages() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            List<Integer> lengths = random.ints(random.nextInt(12), 0, 400).boxed().toList();
            long partBytes = random.nextLong(1, 1000);
            boolean columns = random.nextBoolean();
            assertThat(encodedParts(lengths, partBytes, columns))
                    .as("-Dseed=%d: rows of %s in parts of %d", seed, lengths, partBytes)
                    .isEqualTo(messageParts(lengths, partBytes, columns));
        }
    }

    private static List<ResultSet> messageParts(
            List<Integer> lengths, long partBytes, boolean columns) {
        List<ResultSet> sets = new ArrayList<>();
        var results =
                new PartedResults<>(
                        new MessageSets(),
                        (_, _, set) -> sets.add(set),
                        Room.FOR_SHORT_ANSWERS,
                        partBytes,
                        columns);
        texts(results, lengths);
        sets.add(results.finish());
        return sets;
    }

    private static List<ResultSet> encodedParts(
            List<Integer> lengths, long partBytes, boolean columns) throws IOException {
        List<WireBuffer> sets = new ArrayList<>();
        var results =
                new PartedResults<>(
                        new EncodedSets(new EncodedSets.Shapes()),
                        (_, _, set) -> sets.add(set),
                        Room.FOR_SHORT_ANSWERS,
                        partBytes,
                        columns);
        texts(results, lengths);
        sets.add(results.finish());
        List<ResultSet> read = new ArrayList<>();
        for (WireBuffer set : sets) {
            read.add(ResultSet.parseFrom(ByteBuffer.wrap(set.array(), set.from(), set.length())));
        }
        return read;
    }

    private static void texts(PartedResults<?> results, List<Integer> lengths) {
        results.begin(0, SHAPE);
        for (int length : lengths) {
            results.row(0, new Value[] {Value.text("x".repeat(length))});
        }
        results.end(0, lengths.size() % 2 == 1);
    }

    @Test
    void withoutAResultSetThereIsNoPart() {
        assertThat(results(10, true).finish()).isNull();
    }

    /// Notes when parts are begun, and has little room.
    private final class TightRoom implements Room {
        private final long roomBytes;

        TightRoom(long roomBytes) {
            this.roomBytes = roomBytes;
        }

        @Override
        public long begin(long askedBytes) {
            parts.add("begin");
            return askedBytes;
        }

        @Override
        public boolean hasRoom(long bytes, boolean first) {
            return first || bytes <= roomBytes;
        }
    }

    @Test
    void aPartIsBegunWhenThereIsRoomAndEndsWhereTheRoomEnds() {
        PartedResults<ResultSet> results =
                new PartedResults<>(
                        new MessageSets(),
                        (txId, index, set) -> parts.add(txId + index + shown(set)),
                        new TightRoom(200),
                        1 << 20,
                        true);
        rows(results, 0, 5);
        parts.add("last " + shown(results.finish()));
        assertThat(parts)
                .containsExactly("begin", "0:1c2r", "begin", "0:1c2r", "begin", "last :1c1r");
    }
}

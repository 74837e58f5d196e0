package io.cleave.query.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.control.TopTablets.Sample;
import io.cleave.control.TopTablets.Top;
import io.cleave.schema.LockCounts;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class TopPartitionsTest {
    private static final Top TOP =
            new Top(
                    60_000_000,
                    2,
                    new Sample(
                            "/local/t", 7, 59_000_000, 0.75, new LockCounts(12, 3, 4), 1000, 10));

    @Test
    void theColumnsAreThoseOfYdb() {
        assertThat(row(TopPartitions.byCores(1)))
                .isEqualTo(
                        """
                        IntervalEnd Timestamp 60000000
                        Rank Uint32 2
                        TabletId Uint64 7
                        FollowerId Uint32 0
                        Path Utf8 /local/t
                        PeakTime Timestamp 59000000
                        CPUCores Double 0.75
                        NodeId Uint32 1
                        DataSize Uint64 1000
                        RowCount Uint64 10
                        IndexSize Uint64 NULL
                        InFlightTxCount Uint32 NULL\
                        """);
        assertThat(row(TopPartitions.byLocksBroken(1)))
                .isEqualTo(
                        """
                        IntervalEnd Timestamp 60000000
                        Rank Uint32 2
                        TabletId Uint64 7
                        FollowerId Uint32 0
                        Path Utf8 /local/t
                        LocksAcquired Uint64 12
                        LocksWholeShard Uint64 3
                        LocksBroken Uint64 4
                        NodeId Uint32 1
                        DataSize Uint64 1000
                        RowCount Uint64 10
                        IndexSize Uint64 NULL\
                        """);
    }

    private static String row(List<ViewColumn<Top>> columns) {
        Value[] values = ViewColumn.row(columns, TOP);
        return IntStream.range(0, values.length)
                .mapToObj(
                        index ->
                                "%s %s %s"
                                        .formatted(
                                                columns.get(index).name(),
                                                columns.get(index).type(),
                                                text(values[index])))
                .collect(Collectors.joining("\n"));
    }

    private static String text(Value value) {
        return switch (value) {
            case Value.Int(long number) -> Long.toString(number);
            case Value.Real(double number) -> Double.toString(number);
            case Value.Text(String text) -> text;
            default -> value.toString();
        };
    }

    @Test
    void withoutAPartitionerTheyAreEmpty() {
        assertThat(TopPartitions.all("/local/.sys", 1, Optional.empty()))
                .hasSize(4)
                .allSatisfy(view -> assertThat(((SmallView) view).rows()).isEmpty());
    }
}

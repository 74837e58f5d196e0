package io.cleave.tablet.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.RangeErase;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.record.CellRecord.Attach;
import io.cleave.tablet.record.CellRecord.Commit;
import io.cleave.tablet.record.CellRecord.Compacted;
import io.cleave.tablet.record.CellRecord.Configure;
import io.cleave.tablet.record.CellRecord.CreateTablets;
import io.cleave.tablet.record.CellRecord.Decide;
import io.cleave.tablet.record.CellRecord.Decided;
import io.cleave.tablet.record.CellRecord.Departure;
import io.cleave.tablet.record.CellRecord.Detach;
import io.cleave.tablet.record.CellRecord.DropTablets;
import io.cleave.tablet.record.CellRecord.EraseRange;
import io.cleave.tablet.record.CellRecord.Flushed;
import io.cleave.tablet.record.CellRecord.Forget;
import io.cleave.tablet.record.CellRecord.Freeze;
import io.cleave.tablet.record.CellRecord.Ingested;
import io.cleave.tablet.record.CellRecord.Merge;
import io.cleave.tablet.record.CellRecord.Outcome;
import io.cleave.tablet.record.CellRecord.Prepare;
import io.cleave.tablet.record.CellRecord.RequireVersion;
import io.cleave.tablet.record.CellRecord.Resume;
import io.cleave.tablet.record.CellRecord.Split;
import io.cleave.tablet.record.CellRecord.State;
import io.cleave.tablet.record.CellRecord.TabletState;
import io.cleave.tablet.record.CellRecord.Transactions;
import io.cleave.tablet.record.CellRecord.Version;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import org.junit.jupiter.api.Test;

import java.util.List;

class RecordCodecTest {
    private static final Slice SLICE =
            new Slice(7, 1, 3, Bytes.utf8("a"), null, 1000, 10, 100, 200);
    private static final TabletSpec LEFT =
            new TabletSpec(1, 300, new KeyRange(Bytes.EMPTY, Bytes.utf8("m")));
    private static final TabletSpec RIGHT =
            new TabletSpec(
                    2,
                    300,
                    new KeyRange(Bytes.utf8("m"), null),
                    new TreeSettings(List.of(StoredFamily.DEFAULT), true, null));
    private static final List<RangeErase> ERASES =
            List.of(
                    new RangeErase(Bytes.utf8("a"), null, 5),
                    new RangeErase(Bytes.EMPTY, Bytes.utf8("b"), 6));
    private static final TabletState STATE =
            new TabletState(
                    LEFT.inEpoch(4),
                    3,
                    List.of(
                            new Unflushed(
                                    3,
                                    List.of(
                                            new Feed(9, 11, 15, RIGHT.range()),
                                            new Feed(1, 15, Feed.OPEN, KeyRange.ALL)))),
                    17,
                    List.of(SLICE),
                    ERASES,
                    new Departure(2, 5));
    private static final TabletState PLAIN =
            new TabletState(RIGHT, 0, List.of(), 17, List.of(), List.of(), null);
    private static final TabletState VERSIONED =
            new TabletState(RIGHT.requiring(1000), 0, List.of(), 17, List.of(), List.of(), null);
    private static final List<TabletWrites> WRITES =
            List.of(
                    new TabletWrites(1, List.of(new KeyedChange(Bytes.utf8("k"), RowChange.ERASE))),
                    new TabletWrites(2, List.of()));

    @Test
    void everyRecordIsReadAsItWasWritten() {
        List<CellRecord> records =
                List.of(
                        new Commit(Long.MAX_VALUE, WRITES),
                        new Prepare(1L << 50, 3, WRITES),
                        new Decide(77, 1L << 50, List.of(4L, 5L), WRITES),
                        new Outcome(1L << 50, new CommitDecision.Commit(77), WRITES),
                        new Outcome(1L << 50, new CommitDecision.Abort(), List.of()),
                        new Forget(List.of(1L << 50, 6L)),
                        new Transactions(
                                List.of(new Prepare(8, 3, WRITES)),
                                List.of(new Decided(77, 9, List.of(4L)))),
                        new Freeze(1L << 40),
                        new CreateTablets(List.of(LEFT, RIGHT, LEFT.requiring(7))),
                        new DropTablets(List.of(1L, 2L)),
                        new Configure(List.of(1L, 2L), RIGHT.settings()),
                        new RequireVersion(300, List.of(1L, 2L)),
                        new EraseRange(9, 1, RIGHT.range()),
                        new Ingested(9, 1, List.of(SLICE)),
                        new Flushed(1, 3, List.of(SLICE)),
                        new Compacted(1, List.of(SLICE), List.of()),
                        new State(5, List.of(STATE, VERSIONED, PLAIN)),
                        new Split(1, List.of(VERSIONED, PLAIN)),
                        new Merge(List.of(1L, 2L), VERSIONED),
                        new Detach(1, new Departure(2, 5)),
                        new Resume(1, 6),
                        new Attach(
                                PLAIN, List.of(new Version(Bytes.utf8("k"), 4, RowChange.ERASE))));
        for (CellRecord record : records) {
            assertThat(RecordCodec.decode(RecordCodec.encode(record))).isEqualTo(record);
        }
    }

    @Test
    void aTabletThatTakesEveryVersionIsWrittenAsBefore() {
        int plain = RecordCodec.encode(new CreateTablets(List.of(LEFT))).length();
        int versioned = RecordCodec.encode(new CreateTablets(List.of(LEFT.requiring(7)))).length();
        // The mark, and the version.
        assertThat(versioned).isEqualTo(plain + 1 + 1);
    }

    @Test
    void theVersionOfATableIsNotInACommit() {
        List<TabletWrites> versioned =
                WRITES.stream()
                        .map(part -> new TabletWrites(part.tabletId(), part.changes(), 9))
                        .toList();
        assertThat(RecordCodec.encodeCommit(versioned)).isEqualTo(RecordCodec.encodeCommit(WRITES));
    }

    @Test
    void aCommitGetsItsTimestampLast() {
        byte[] commit = RecordCodec.encodeCommit(WRITES);
        RecordCodec.setTimestamp(commit, 12345);
        Bytes record = Bytes.wrap(commit);
        assertThat(RecordCodec.isCommit(record)).isTrue();
        assertThat(RecordCodec.decode(record)).isEqualTo(new Commit(12345, WRITES));
    }

    @Test
    void soDoesAStepOfATransaction() {
        var outcome = new Outcome(9, new CommitDecision.Abort(), WRITES);
        byte[] bytes = RecordCodec.encode(outcome, WRITES);
        RecordCodec.setTimestamp(bytes, 12345);
        assertThat(RecordCodec.decode(Bytes.wrap(bytes)))
                .isEqualTo(new Outcome(9, new CommitDecision.Commit(12345), WRITES));
    }
}

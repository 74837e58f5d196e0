package io.cleave.tablet.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.schema.KeyRange;

import org.junit.jupiter.api.Test;

class LockTableTest {
    private static final ReadLocks NOBODY = new ReadLocks();

    private final LockTable table = new LockTable(7, new CellLocks(1));

    @Test
    void aTransactionHoldsOnlySoManyLocks() {
        var owner = new ReadLocks();
        int tables = ReadLocks.MAX_LOCKS / ReadLocks.MAX_POINTS_PER_TABLET;
        for (int number = 0; number < tables; number++) {
            owner.checkRoom(0);
            var each = new LockTable(7, new CellLocks(1));
            for (int key = 0; key < ReadLocks.MAX_POINTS_PER_TABLET; key++) {
                each.addPoint(owner, Bytes.utf8("k" + key));
                each.addPoint(owner, Bytes.utf8("k" + key));
            }
        }
        assertThatThrownBy(() -> owner.checkRoom(0))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("at most 100000 locks");
    }

    @Test
    void manyKeysOfOneTabletBecomeOneLock() {
        var owner = new ReadLocks();
        for (int key = 0; key < 2 * ReadLocks.MAX_LOCKS; key++) {
            owner.checkRoom(0);
            table.addPoint(owner, Bytes.utf8("k" + key));
        }
        table.breakLocks(Bytes.utf8("another"), null);
        assertThat(owner.broken()).isTrue();
    }

    private final ReadLocks reader = new ReadLocks();

    @Test
    void aWriteOfAReadKeyBreaksTheLock() {
        table.addPoint(reader, key("b"));
        table.breakLocks(key("a"), NOBODY);
        table.breakLocks(key("c"), NOBODY);
        assertThat(reader.broken()).isFalse();
        table.breakLocks(key("b"), NOBODY);
        assertThat(reader.brokenTableId()).isEqualTo(7);
        assertThat(table.counts().broken()).isEqualTo(1);
    }

    @Test
    void aWriteIntoAReadRangeBreaksTheLock() {
        table.addRange(reader, new KeyRange(key("b"), key("d")));
        table.breakLocks(key("a"), NOBODY);
        table.breakLocks(key("d"), NOBODY);
        assertThat(reader.broken()).isFalse();
        table.breakLocks(key("b"), NOBODY);
        assertThat(reader.broken()).isTrue();
    }

    @Test
    void nobodyBreaksTheirOwnLocks() {
        table.addPoint(reader, key("a"));
        table.addRange(reader, KeyRange.ALL);
        table.breakLocks(key("a"), reader);
        assertThat(reader.broken()).isFalse();
    }

    @Test
    void whatWasReleasedCannotBreak() {
        table.addPoint(reader, key("a"));
        reader.release();
        table.breakLocks(key("a"), NOBODY);
        assertThat(reader.broken()).isFalse();
    }

    @Test
    void tooManyPointsBecomeALockOnTheWholeTablet() {
        for (int point = 0; point <= ReadLocks.MAX_POINTS_PER_TABLET; point++) {
            table.addPoint(reader, key("p" + point));
        }
        table.breakLocks(key("never read"), NOBODY);
        assertThat(reader.broken()).isTrue();
    }

    @Test
    void tooManyPointsAreStillLockedByOthersAlone() {
        var other = new ReadLocks();
        table.addPoint(other, key("p1"));
        for (int point = 0; point <= ReadLocks.MAX_POINTS_PER_TABLET; point++) {
            table.addPoint(reader, key("p" + point));
        }
        table.breakLocks(key("p2"), NOBODY);
        assertThat(other.broken()).isFalse();
        table.breakLocks(key("p1"), NOBODY);
        assertThat(other.broken()).isTrue();
    }

    private static Bytes key(String text) {
        return Bytes.utf8(text);
    }
}

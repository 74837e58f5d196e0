package io.cleave.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;
import io.cleave.base.Status;
import io.cleave.catalog.RoundRows.Group;
import io.cleave.catalog.RoundRows.Pending;
import io.cleave.catalog.RoundRows.Round;
import io.cleave.lsm.row.RowChange;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.testkit.TestStore;
import io.cleave.value.FieldCodec;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class RoundRowsTest {
    private static final Group LEGACY = new Group("default", "legacy");
    private static final Group HOT = new Group("b", "hot/ü");

    @Test
    void whatIsStoredIsThereAfterARestart() {
        try (var store = new TestStore()) {
            RoundRows rows = store.catalog().rounds();
            assertThat(rows.all()).isEmpty();
            var reshards = new Round(1_700_000_000_000_001L, Pending.RESHARDS);
            var moves = new Round(1, Pending.MOVES);
            rows.change(Map.of(LEGACY, reshards, HOT, moves), List.of());
            assertThat(rows.all()).isEqualTo(Map.of(LEGACY, reshards, HOT, moves));
            store.restart();
            rows = store.catalog().rounds();
            assertThat(rows.all()).isEqualTo(Map.of(LEGACY, reshards, HOT, moves));
            var nothing = new Round(2, Pending.NOTHING);
            rows.change(Map.of(LEGACY, nothing), List.of(HOT));
            store.restart();
            assertThat(store.catalog().rounds().all()).isEqualTo(Map.of(LEGACY, nothing));
        }
    }

    @Test
    void aRowOfALaterVersionIsRefused() {
        try (var store = new TestStore()) {
            var fields = new byte @Nullable [][] {number(5), number(9)};
            var row =
                    new KeyedChange(
                            KeyCodec.encode(
                                    List.of(Primitive.UTF8, Primitive.UTF8),
                                    Value.text("b"),
                                    Value.text("g")),
                            RowChange.encode(RowChange.Kind.REPLACE, new int[] {1, 2}, fields));
            SystemWrites.commit(
                    store.system(),
                    List.of(new TabletWrites(SystemTables.ROUNDS, List.of(row))),
                    Status.UNAVAILABLE);
            assertThatThrownBy(() -> store.catalog().rounds().all())
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining("pending work 9, which is not known");
        }
    }

    private static byte[] number(long value) {
        return FieldCodec.encode(Primitive.UINT64, Value.of(value));
    }
}

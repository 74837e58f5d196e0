package io.cleave.control.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.control.action.TabletAction.Content;
import io.cleave.control.action.TabletAction.Kind;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.control.action.TabletAction.State;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;

/// The bounds of all actions together, and their rows.
class ActionRegisterTest {
    private final ActionRegister register = new ActionRegister();

    private static TabletAction action(long number, State state, Keeping keeping) {
        return new TabletAction(
                ObjectId.of(ObjectType.TABLET_ACTION, number),
                new Content(
                        Kind.MOVE,
                        7,
                        "/local/t",
                        "default",
                        KeyRange.ALL,
                        List.of(2L),
                        List.of(),
                        List.of(),
                        OptionalInt.empty(),
                        MountState.MOUNTED,
                        false,
                        keeping,
                        Origin.BALANCER,
                        5,
                        1_000),
                state,
                List.of(number),
                "",
                state.isFinished() ? 2_000 : 0);
    }

    @Test
    void aThousandActionsAreUnfinished() {
        for (long number = 0; number < ActionRegister.MOST_UNFINISHED; number++) {
            assertThat(register.makeRoom(100)).isEmpty();
            register.put(action(number, State.PREPARING, Keeping.SHORT), 100);
        }
        assertThatThrownBy(() -> register.makeRoom(100))
                .hasMessageContaining("1000 tablet actions are not finished");
        register.put(action(3, State.COMPLETED, Keeping.SHORT), 100);
        assertThat(register.makeRoom(100)).isEmpty();
    }

    @Test
    void theOldestFinishedActionMakesRoomUnlessItIsKept() {
        register.put(action(0, State.FAILED, Keeping.FOREVER), 100);
        for (long number = 1; number < ActionRegister.MOST_FINISHED; number++) {
            register.put(action(number, State.COMPLETED, Keeping.BALANCER), 100);
        }
        assertThat(register.makeRoom(100)).containsExactly(1L);
    }

    @Test
    void keptActionsRefuseFurtherOnes() {
        for (long number = 0; number < ActionRegister.MOST_FINISHED; number++) {
            register.put(action(number, State.COMPLETED, Keeping.FOREVER), 100);
        }
        assertThatThrownBy(() -> register.makeRoom(100))
                .hasMessageContaining("10000 tablet actions are kept; remove some");
    }

    @Test
    void rowsAreBoundedByTheirBytes() {
        int row = ActionRegister.MOST_ROW_BYTES;
        long count = ActionRegister.MOST_BYTES / row;
        for (long number = 0; number < count; number++) {
            assertThat(register.makeRoom(row)).isEmpty();
            register.put(action(number, State.COMPLETED, Keeping.SHORT), row);
        }
        assertThat(register.makeRoom(1)).containsExactly(0L);
        assertThatThrownBy(() -> register.makeRoom(row + 1)).hasMessageContaining("limit");
    }

    @Test
    void anActionHoldsItsTabletsUntilItHasEnded() {
        register.put(action(9, State.PREPARING, Keeping.SHORT), 100);
        assertThat(register.holder(7, 9, KeyRange.ALL)).isPresent();
        assertThat(register.holder(8, 9, KeyRange.ALL)).isEmpty();
        assertThat(register.holder(7, 8, KeyRange.ALL)).isEmpty();
        register.put(action(9, State.COMPLETED, Keeping.SHORT), 100);
        assertThat(register.holder(7, 9, KeyRange.ALL)).isEmpty();
    }

    /// Form 1. These bytes are in data folders.
    @Test
    void theFormIsTheOneOfTheDocument() {
        TabletAction move = action(1, State.PREPARING, Keeping.BALANCER);
        assertThat(HexFormat.of().formatHex(ActionCodec.encode(move).array()))
                .isEqualTo(
                        "01000000e803000000000000000000000000000007082f6c6f63616c2f740764656661756c740000010101020000000100000001008c8647000000000500");
        assertThat(ActionCodec.decode(1, ActionCodec.encode(move))).isEqualTo(move);
    }

    @Test
    void everyActionIsReadAsItWasWritten() {
        long seed = Long.getLong("seed", System.nanoTime());
        var random = new Random(seed);
        for (int round = 0; round < 1000; round++) {
            TabletAction action = any(random, random.nextLong(1, 1L << 40));
            Bytes row = ActionCodec.encode(action);
            long number = action.id().number();
            assertThat(ActionCodec.decode(number, row)).as("-Dseed=" + seed).isEqualTo(action);
            var cut = Bytes.copyOf(row.array(), 0, random.nextInt(row.length()));
            assertThatThrownBy(() -> ActionCodec.decode(number, cut))
                    .as("-Dseed=" + seed)
                    .isInstanceOf(CorruptionException.class);
        }
    }

    private static TabletAction any(Random random, long number) {
        Bytes to = random.nextBoolean() ? null : Bytes.utf8("z" + random.nextInt());
        State state = State.values()[random.nextInt(State.values().length)];
        return new TabletAction(
                ObjectId.of(ObjectType.TABLET_ACTION, number),
                new Content(
                        Kind.values()[random.nextInt(2)],
                        random.nextLong(1L << 50),
                        "/local/" + random.nextInt(),
                        "bundle" + random.nextInt(5),
                        new KeyRange(Bytes.utf8("a" + random.nextInt(9)), to),
                        numbers(random),
                        keys(random),
                        keys(random),
                        random.nextBoolean()
                                ? OptionalInt.empty()
                                : OptionalInt.of(random.nextInt(1, 10_000)),
                        random.nextBoolean() ? MountState.MOUNTED : MountState.FROZEN,
                        random.nextBoolean(),
                        new Keeping(random.nextBoolean(), some(random), some(random)),
                        Origin.values()[random.nextInt(Origin.values().length)],
                        random.nextLong(100),
                        random.nextLong(1L << 50)),
                state,
                numbers(random),
                random.nextBoolean() ? "" : "an error " + random.nextInt(),
                random.nextLong(1L << 50));
    }

    private static OptionalLong some(Random random) {
        return random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong());
    }

    private static List<Long> numbers(Random random) {
        return random.longs(random.nextInt(4), 0, 1L << 40).boxed().toList();
    }

    private static List<Bytes> keys(Random random) {
        List<Bytes> keys = new ArrayList<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            keys.add(Bytes.utf8("k".repeat(random.nextInt(50)) + random.nextInt()));
        }
        return keys;
    }
}

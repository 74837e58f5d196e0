package io.cleave.yt.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.testkit.DataDriven;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Which command is allowed in which state, and the states of key ranges.
class TabletStatesTest {
    @TestFactory
    Stream<DynamicTest> transitions() throws IOException {
        return DataDriven.run(
                Path.of("src/test/testdata/yt/states"),
                command ->
                        switch (command.name()) {
                            case "action" -> row(command.args().get("name"));
                            case "twice" ->
                                    twice(
                                            state(command.args().get("from")),
                                            action(command.args().get("first")));
                            default -> throw new IllegalArgumentException(command.name());
                        });
    }

    private static MountCommand action(String name) {
        return MountCommand.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private static MountState state(String name) {
        return MountState.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private static String next(MountCommand action, MountState state) {
        try {
            return action.next("1-2-102be-4", state).text();
        } catch (YtException e) {
            return e.getMessage();
        }
    }

    /// What an action does in each state.
    private static String row(String name) {
        var text = new StringBuilder();
        for (MountState state : MountState.values()) {
            text.append(state.text()).append(" -> ").append(next(action(name), state)).append('\n');
        }
        return text.toString();
    }

    /// Each second command, after the first is finished and while it is in progress.
    private static String twice(MountState from, MountCommand first) {
        MountState during = first.next("t", from);
        var text = new StringBuilder();
        for (MountCommand second : MountCommand.values()) {
            if (second != MountCommand.CANCEL && second != MountCommand.FORCED_UNMOUNT) {
                text.append(second.name().toLowerCase(Locale.ROOT))
                        .append(": ")
                        .append(letter(second, during.finished()))
                        .append(", in progress ")
                        .append(letter(second, during))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String letter(MountCommand action, MountState state) {
        try {
            return action.next("t", state)
                    .finished()
                    .text()
                    .substring(0, 1)
                    .toUpperCase(Locale.ROOT);
        } catch (YtException _) {
            return "E";
        }
    }

    @Test
    void statesOfRangesAreThoseOfAPlainMap() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            var plain = new TreeMap<Integer, MountState>();
            for (int key = 0; key < 20; key++) {
                plain.put(key, MountState.MOUNTED);
            }
            MountStates states = MountStates.MOUNTED;
            for (int step = 0; step < 10; step++) {
                int from = random.nextInt(20);
                int to = from + 1 + random.nextInt(20 - from);
                MountState state = MountState.values()[random.nextInt(8)];
                for (int key = from; key < to; key++) {
                    plain.put(key, state);
                }
                states = states.with(range(from, to), state);
                for (int key = 0; key < 20; key++) {
                    assertThat(states.at(key(key)))
                            .as("key %d, -Dseed=%d", key, seed)
                            .isEqualTo(plain.get(key));
                }
                assertThat(states.firstNot(MountState::isReadable, range(from, to)))
                        .as("-Dseed=%d", seed)
                        .isEqualTo(
                                state.isReadable()
                                        ? Optional.empty()
                                        : Optional.of(range(from, to).from()));
                for (int at = 1; at < states.parts().size(); at++) {
                    assertThat(states.parts().get(at).state())
                            .isNotEqualTo(states.parts().get(at - 1).state());
                }
            }
        }
    }

    /// The last key has no upper bound.
    private static KeyRange range(int from, int to) {
        return new KeyRange(from == 0 ? Bytes.EMPTY : key(from), to == 20 ? null : key(to));
    }

    private static Bytes key(int number) {
        return Bytes.wrap(new byte[] {(byte) (number + 1)});
    }
}

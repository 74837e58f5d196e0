package io.cleave.yt.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.Test;

import java.util.Random;

class YtTimestampsTest {
    private static final long SECOND = 1_000_000;

    @Test
    void everyTimestampComesBack() {
        long seed = Long.getLong("seed", System.currentTimeMillis());
        var random = new Random(seed);
        for (int round = 0; round < 100_000; round++) {
            long micros = random.nextLong(4_000_000_000L * SECOND);
            assertThat(YtTimestamps.toMicros(YtTimestamps.toYt(micros)))
                    .as("-Dseed=%d, %d", seed, micros)
                    .isEqualTo(micros);
        }
    }

    @Test
    void theOrderIsKeptAlsoFromSecondToSecond() {
        long[] moments = {0, 1, SECOND - 1, SECOND, SECOND + 1, 1_800_000_000L * SECOND - 1};
        for (int index = 1; index < moments.length; index++) {
            assertThat(YtTimestamps.toYt(moments[index]))
                    .isGreaterThan(YtTimestamps.toYt(moments[index - 1]));
        }
    }

    @Test
    void aTimestampBetweenTwoIsTheEarlierOne() {
        long of = YtTimestamps.toYt(5 * SECOND + 7);
        assertThat(YtTimestamps.toMicros(of + 1)).isEqualTo(5 * SECOND + 7);
        assertThat(YtTimestamps.toMicros(of - 1)).isEqualTo(5 * SECOND + 6);
        assertThat(YtTimestamps.toMicros((6L << 30) - 1)).isEqualTo(6 * SECOND - 1);
    }

    @Test
    void theSpecialTimestampsReadTheNewestRows() {
        assertThat(readAt("{timestamp=4611686018427387649u}")).isEqualTo("now");
        assertThat(readAt("{timestamp=4611686018427387652}")).isEqualTo("now");
        assertThat(readAt("{}")).isEqualTo("now");
        assertThat(readAt("{timestamp=1073741824}")).isEqualTo("1000000");
        assertThatThrownBy(() -> readAt("{timestamp=0}"))
                .isInstanceOf(YtException.class)
                .hasMessage("Invalid read timestamp 0");
    }

    private static String readAt(String parameters) {
        var at = YtTimestamps.readAt(FakeCall.of(parameters).parameters(), "timestamp");
        return at.isPresent() ? String.valueOf(at.getAsLong()) : "now";
    }
}

package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.control.DecisionExpiry.Row;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// Which of the stored changes are erased.
class DecisionExpiryTest {
    private static final long KEPT = 100;
    private static final long NOW = 1_000_000;
    private static final long OLD = NOW - KEPT - 1;
    private static final DecisionLimits LIMITS =
            new DecisionLimits(Duration.ofNanos(KEPT * 1000), 1, 1);

    private static DecisionExpiry expiry(long excessBytes) {
        return new DecisionExpiry(LIMITS, NOW, excessBytes);
    }

    private static Row row(long number, long micros) {
        return new Row(number, 10, micros, micros);
    }

    @Test
    void aChangeIsErasedWhenItIsOlderThanTheLimit() {
        DecisionExpiry expiry = expiry(0);
        assertThat(expiry.add(row(1, OLD))).isTrue();
        assertThat(expiry.add(row(2, OLD + 1))).as("no later one can be older").isFalse();
        assertThat(expiry.erased()).containsExactly(1L);
        assertThat(expiry.erasedBytes()).isEqualTo(10);
        assertThat(expiry.sinceMicros()).isEqualTo(OLD + 1);
        assertThat(expiry.firstKept()).isEqualTo(2);
    }

    @Test
    void behindAChangeThatWasTriedAgainThereMayBeOlderOnes() {
        DecisionExpiry expiry = expiry(0);
        assertThat(expiry.add(new Row(1, 10, OLD, NOW))).isTrue();
        assertThat(expiry.add(row(2, OLD))).isTrue();
        assertThat(expiry.erased()).containsExactly(2L);
        assertThat(expiry.firstKept()).isEqualTo(1);
    }

    @Test
    void aTimeInTheFutureStopsNothing() {
        DecisionExpiry expiry = expiry(0);
        assertThat(expiry.add(row(1, NOW + DecisionExpiry.FUTURE_MICROS + 1))).isTrue();
        assertThat(expiry.add(row(2, OLD))).isTrue();
        assertThat(expiry.erased()).containsExactly(2L);
        assertThat(expiry(0).add(row(1, NOW + DecisionExpiry.FUTURE_MICROS))).isFalse();
    }

    @Test
    void theOldestAreErasedUntilTheRestIsSmallEnough() {
        DecisionExpiry expiry = expiry(11);
        assertThat(expiry.add(row(1, NOW))).isTrue();
        assertThat(expiry.add(row(2, NOW + 1))).isTrue();
        assertThat(expiry.add(row(3, NOW + 2))).isFalse();
        assertThat(expiry.erased()).containsExactly(1L, 2L);
        assertThat(expiry.sinceMicros()).isEqualTo(NOW + 2);
        DecisionExpiry less = expiry(10);
        assertThat(less.add(row(1, NOW))).isTrue();
        assertThat(less.add(row(2, NOW))).isFalse();
    }

    @Test
    void aWrongTimeIsNotWhatIsKnown() {
        DecisionExpiry expiry = expiry(11);
        expiry.add(row(1, OLD));
        expiry.add(row(2, NOW + DecisionExpiry.FUTURE_MICROS + 1));
        assertThat(expiry.erased()).containsExactly(1L, 2L);
        assertThat(expiry.sinceMicros()).isEqualTo(OLD + 1);
    }

    @Test
    void onlySoManyAreErasedAtOnce() {
        DecisionExpiry expiry = expiry(0);
        for (int number = 1; number <= DecisionExpiry.MOST; number++) {
            assertThat(expiry.isFull()).isFalse();
            assertThat(expiry.add(row(number, OLD))).isTrue();
        }
        assertThat(expiry.isFull()).isTrue();
        assertThat(expiry.add(row(DecisionExpiry.MOST + 1, OLD))).isFalse();
        assertThat(expiry.erased()).hasSize(DecisionExpiry.MOST);
        assertThat(expiry.firstKept()).isEqualTo(DecisionExpiry.MOST + 1);
    }
}

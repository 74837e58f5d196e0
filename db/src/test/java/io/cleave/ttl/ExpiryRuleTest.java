package io.cleave.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

/// When a row has expired, for each type and unit: to the last unit before, and at it.
class ExpiryRuleTest {
    private static final long DAY = 86_400;

    /// Some noon.
    private static final long NOW_SECONDS = 20_000 * DAY + DAY / 2;

    private static final long NOW = NOW_SECONDS * 1_000_000;

    private static ExpiryRule rule(Primitive type, TtlUnit unit, long seconds) {
        return new ExpiryRule(new Ttl("c", unit, seconds, 0), type);
    }

    private static void assertLast(ExpiryRule rule, long lastExpired) {
        assertThat(rule.isExpired(Value.of(lastExpired), NOW)).as("%s", rule).isTrue();
        assertThat(rule.isExpired(Value.of(lastExpired + 1), NOW)).as("%s", rule).isFalse();
    }

    @Test
    void datesCountDays() {
        assertLast(rule(Primitive.DATE, TtlUnit.DATE, 0), 20_000);
        assertLast(rule(Primitive.DATE, TtlUnit.DATE, DAY / 2), 20_000);
        assertLast(rule(Primitive.DATE, TtlUnit.DATE, DAY / 2 + 1), 19_999);
        assertLast(rule(Primitive.DATE32, TtlUnit.DATE, DAY), 19_999);
    }

    @Test
    void timesCountSecondsAndMicroseconds() {
        assertLast(rule(Primitive.DATETIME, TtlUnit.DATE, 7), NOW_SECONDS - 7);
        assertLast(rule(Primitive.DATETIME64, TtlUnit.DATE, 7), NOW_SECONDS - 7);
        assertLast(rule(Primitive.TIMESTAMP, TtlUnit.DATE, 7), NOW - 7_000_000);
        assertLast(rule(Primitive.TIMESTAMP64, TtlUnit.DATE, 0), NOW);
    }

    @Test
    void numbersCountWhatTheUnitSays() {
        assertLast(rule(Primitive.UINT32, TtlUnit.SECONDS, 5), NOW_SECONDS - 5);
        assertLast(rule(Primitive.UINT64, TtlUnit.MILLISECONDS, 5), (NOW_SECONDS - 5) * 1000);
        assertLast(rule(Primitive.UINT64, TtlUnit.MICROSECONDS, 5), NOW - 5_000_000);
        assertLast(rule(Primitive.UINT64, TtlUnit.NANOSECONDS, 5), (NOW - 5_000_000) * 1000);
    }

    @Test
    void dyNumbersMayHaveAFraction() {
        ExpiryRule rule = rule(Primitive.DY_NUMBER, TtlUnit.SECONDS, 5);
        assertThat(rule.isExpired(Value.text((NOW_SECONDS - 5) + ""), NOW)).isTrue();
        assertThat(rule.isExpired(Value.text((NOW_SECONDS - 5) + ".1"), NOW)).isFalse();
        assertThat(rule.isExpired(Value.text("-.5e9"), NOW)).isTrue();
    }

    @Test
    void whatIsBeyondTheSignIsFarAhead() {
        assertThat(
                        rule(Primitive.UINT64, TtlUnit.SECONDS, 0)
                                .isExpired(Value.of(Long.MIN_VALUE), NOW))
                .isFalse();
    }

    @Test
    void aDateBefore1970HasExpired() {
        assertThat(rule(Primitive.DATE32, TtlUnit.DATE, 0).isExpired(Value.of(-5L), NOW)).isTrue();
        assertThat(
                        rule(Primitive.TIMESTAMP64, TtlUnit.DATE, 2 * NOW_SECONDS)
                                .isExpired(Value.of(-NOW - 1), NOW))
                .isTrue();
        assertThat(
                        rule(Primitive.TIMESTAMP, TtlUnit.DATE, 2 * NOW_SECONDS)
                                .isExpired(Value.of(0L), NOW))
                .isFalse();
    }

    @Test
    void nullNeverExpires() {
        for (TtlUnit unit : TtlUnit.values()) {
            assertThat(rule(Primitive.UINT64, unit, 0).isExpired(Value.Null.NULL, NOW)).isFalse();
        }
    }
}

package io.cleave.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;
import io.cleave.value.Ints;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

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

    /// The rule of a table whose key begins with the column, and one whose key ends with it.
    private static Table table(Primitive type, boolean first) {
        Column time = new Column(1, "c", type, false, Column.DEFAULT_FAMILY, Optional.empty());
        Column other =
                new Column(2, "d", Primitive.UTF8, false, Column.DEFAULT_FAMILY, Optional.empty());
        return new Table(
                1,
                1,
                "/local/t",
                List.of(time, other),
                first ? List.of(0, 1) : List.of(1, 0),
                3,
                List.of(ColumnFamily.DEFAULT),
                TableOptions.DEFAULT,
                Map.of(),
                0,
                List.of(),
                0);
    }

    private static void assertKeys(ExpiryRule rule, Value... values) {
        var type = (Primitive) rule.type();
        KeyRange expired = rule.expiredKeys(table(type, true), NOW).orElseThrow();
        for (Value value : values) {
            for (String rest : List.of("", "x")) {
                Bytes key = KeyCodec.encode(List.of(type, Primitive.UTF8), value, Value.text(rest));
                assertThat(expired.contains(key))
                        .as("%s of %s", value, rule)
                        .isEqualTo(rule.isExpired(value, NOW));
            }
        }
    }

    @Test
    void keysThatBeginWithATimeExpireByTheirRange() {
        for (long ttl : List.of(0L, 5L, DAY, 2 * NOW_SECONDS)) {
            for (Primitive type :
                    List.of(
                            Primitive.DATE,
                            Primitive.DATE32,
                            Primitive.DATETIME,
                            Primitive.DATETIME64,
                            Primitive.TIMESTAMP,
                            Primitive.TIMESTAMP64)) {
                assertKeys(rule(type, TtlUnit.DATE, ttl), around(type, TtlUnit.DATE, ttl));
            }
            for (TtlUnit unit : TtlUnit.values()) {
                if (unit != TtlUnit.DATE) {
                    assertKeys(
                            rule(Primitive.UINT32, unit, ttl), around(Primitive.UINT32, unit, ttl));
                    assertKeys(
                            rule(Primitive.UINT64, unit, ttl), around(Primitive.UINT64, unit, ttl));
                    assertKeys(
                            rule(Primitive.DY_NUMBER, unit, ttl),
                            Stream.of("0", "-.5e9", ".1e1", ".1e9", ".17279999e10", ".1e30")
                                    .map(Value::text)
                                    .toArray(Value[]::new));
                }
            }
        }
    }

    /// The ends of the type, and what is next to the last that has expired.
    private static Value[] around(Primitive type, TtlUnit unit, long ttl) {
        long last = NOW_SECONDS - ttl;
        long scaled =
                switch (unit) {
                    case DATE ->
                            switch (type) {
                                case DATE, DATE32 -> Math.floorDiv(last, DAY);
                                case DATETIME, DATETIME64 -> last;
                                default -> last * 1_000_000;
                            };
                    case SECONDS -> last;
                    case MILLISECONDS -> last * 1000;
                    case MICROSECONDS -> last * 1_000_000;
                    case NANOSECONDS -> last * 1_000_000_000;
                };
        return LongStream.concat(
                        LongStream.of(Ints.min(type), 0, Ints.max(type)),
                        LongStream.rangeClosed(scaled - 2, scaled + 2))
                .filter(value -> Ints.fits(type, value))
                .mapToObj(Value::of)
                .toArray(Value[]::new);
    }

    @Test
    void nullIsNotAmongTheKeysThatHaveExpired() {
        assertKeys(rule(Primitive.TIMESTAMP, TtlUnit.DATE, 0), Value.Null.NULL);
    }

    @Test
    void keysThatDoNotBeginWithTheTimeDoNotTell() {
        ExpiryRule rule = rule(Primitive.TIMESTAMP, TtlUnit.DATE, 0);
        assertThat(rule.expiredKeys(table(Primitive.TIMESTAMP, false), NOW)).isEmpty();
    }

    @Test
    void keysThatHaveExpiredSince() {
        ExpiryRule rule = rule(Primitive.DATE, TtlUnit.DATE, 0);
        KeyRange since =
                rule.expiredKeysSince(table(Primitive.DATE, true), NOW - 3 * DAY * 1_000_000, NOW)
                        .orElseThrow();
        for (long day = 19_990; day < 20_010; day++) {
            Bytes key = KeyCodec.encode(List.of(Primitive.DATE), Value.of(day));
            assertThat(since.contains(key)).as("%d", day).isEqualTo(day > 19_997 && day <= 20_000);
        }
    }

    @Test
    void nullNeverExpires() {
        for (TtlUnit unit : TtlUnit.values()) {
            assertThat(rule(Primitive.UINT64, unit, 0).isExpired(Value.Null.NULL, NOW)).isFalse();
        }
    }
}

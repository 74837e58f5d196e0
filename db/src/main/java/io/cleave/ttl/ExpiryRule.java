package io.cleave.ttl;

import io.cleave.base.Bytes;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.value.DyNumber;
import io.cleave.value.Ints;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Decides when the rows of a table expire: at the time in their TTL column plus a number of
/// seconds. Rows with NULL never expire. The position of the column is not part of the rule,
/// because it changes when another column is dropped. Immutable and pure.
record ExpiryRule(Ttl ttl, Type type) {
    private static final long SECOND_MICROS = 1_000_000;
    private static final long DAY_MICROS = 86_400 * SECOND_MICROS;

    private static final Bytes NULL_KEY =
            KeyCodec.encode(List.of(Primitive.TIMESTAMP), Value.Null.NULL);

    /// The prefix of all keys whose time is not NULL.
    private static final Bytes FIRST_TIME = Objects.requireNonNull(KeyCodec.prefixEnd(NULL_KEY));

    /// Empty if rows of the table do not expire.
    static Optional<ExpiryRule> of(Table table) {
        return table.options()
                .ttl()
                .map(
                        ttl -> {
                            Column column = table.columns().get(table.indexOf(ttl.column()));
                            return new ExpiryRule(ttl, column.type());
                        });
    }

    /// The current position of the column in a table with this rule.
    int columnIn(Table table) {
        return table.indexOf(ttl.column());
    }

    /// A row has expired if its time is at most this.
    long limitMicros(long nowMicros) {
        return nowMicros - ttl.expireAfterSeconds() * SECOND_MICROS;
    }

    /// `value` is the row's value in the TTL column.
    boolean isExpired(Value value, long nowMicros) {
        long limit = limitMicros(nowMicros);
        return switch (value) {
            case Value.Int(long count) ->
                    isUnsigned()
                            // A negative count is an unsigned number of 2^63 or more, which is
                            // later than any limit.
                            ? count >= 0 && limit >= 0 && count <= inUnits(limit)
                            : count <= inUnits(limit);
            case Value.Text(String number) when type == Primitive.DY_NUMBER ->
                    new BigDecimal(number).compareTo(exactly(limit)) <= 0;
            default -> false;
        };
    }

    /// The keys of all rows that have expired, if keys of the table begin with the time; otherwise
    /// empty.
    Optional<KeyRange> expiredKeys(Table table, long nowMicros) {
        return table.keyColumns().getFirst() == columnIn(table)
                ? Optional.of(new KeyRange(FIRST_TIME, endOfExpired(nowMicros)))
                : Optional.empty();
    }

    /// The expired keys that had not expired at an earlier time.
    Optional<KeyRange> expiredKeysSince(Table table, long earlierMicros, long nowMicros) {
        return expiredKeys(table, nowMicros)
                .map(all -> new KeyRange(endOfExpired(earlierMicros), all.to()));
    }

    private Bytes endOfExpired(long nowMicros) {
        return Objects.requireNonNull(KeyCodec.prefixEnd(lastKey(limitMicros(nowMicros))));
    }

    /// The prefix of the greatest expired keys. If there are none, the prefix of NULL, which never
    /// expires.
    private Bytes lastKey(long micros) {
        if (type == Primitive.DY_NUMBER) {
            String number = exactly(micros).toPlainString();
            return KeyCodec.encode(
                    List.of(type), Value.text(DyNumber.normalize(number).orElseThrow()));
        }
        var integers = (Primitive) type;
        long last = inUnits(micros);
        if (last < 0 && !Ints.isSigned(integers)) {
            return NULL_KEY;
        }
        return Ints.fits(integers, last)
                ? KeyCodec.encode(List.of(type), Value.of(last))
                // The limit is later than all times of the type.
                : FIRST_TIME;
    }

    private boolean isUnsigned() {
        return type == Primitive.UINT32 || type == Primitive.UINT64;
    }

    /// The greatest value of the column that is not later than `micros`.
    private long inUnits(long micros) {
        return switch (ttl.unit()) {
            case DATE ->
                    switch (type) {
                        case Primitive.DATE, Primitive.DATE32 -> Math.floorDiv(micros, DAY_MICROS);
                        case Primitive.DATETIME, Primitive.DATETIME64 ->
                                Math.floorDiv(micros, SECOND_MICROS);
                        default -> micros;
                    };
            case SECONDS -> Math.floorDiv(micros, SECOND_MICROS);
            case MILLISECONDS -> Math.floorDiv(micros, 1000);
            case MICROSECONDS -> micros;
            case NANOSECONDS -> Math.multiplyExact(micros, 1000);
        };
    }

    /// Like `inUnits`, for numbers with a fraction.
    private BigDecimal exactly(long micros) {
        return switch (ttl.unit()) {
            case SECONDS -> BigDecimal.valueOf(micros, 6);
            case MILLISECONDS -> BigDecimal.valueOf(micros, 3);
            case DATE, MICROSECONDS -> BigDecimal.valueOf(micros);
            case NANOSECONDS -> BigDecimal.valueOf(micros, -3);
        };
    }
}

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

/// When the rows of a table have expired: at the time that their column says, and then so many
/// seconds later. NULL never does. Where the column stands is not part of it: that changes when
/// another column is dropped. Pure.
record ExpiryRule(Ttl ttl, Type type) {
    private static final long SECOND_MICROS = 1_000_000;
    private static final long DAY_MICROS = 86_400 * SECOND_MICROS;

    private static final Bytes NULL_KEY =
            KeyCodec.encode(List.of(Primitive.TIMESTAMP), Value.Null.NULL);

    /// All keys begin with it whose time is not NULL.
    private static final Bytes FIRST_TIME = Objects.requireNonNull(KeyCodec.prefixEnd(NULL_KEY));

    /// Nothing where rows do not expire.
    static Optional<ExpiryRule> of(Table table) {
        return table.options()
                .ttl()
                .map(
                        ttl -> {
                            Column column = table.columns().get(table.indexOf(ttl.column()));
                            return new ExpiryRule(ttl, column.type());
                        });
    }

    /// Where a table that has this rule has the column now.
    int columnIn(Table table) {
        return table.indexOf(ttl.column());
    }

    /// A row has expired if its time is not later than this.
    long limitMicros(long nowMicros) {
        return nowMicros - ttl.expireAfterSeconds() * SECOND_MICROS;
    }

    /// `value` is what a row has in the column.
    boolean isExpired(Value value, long nowMicros) {
        long limit = limitMicros(nowMicros);
        return switch (value) {
            case Value.Int(long count) ->
                    isUnsigned()
                            // No moment of this process is so far ahead.
                            ? count >= 0 && limit >= 0 && count <= inUnits(limit)
                            : count <= inUnits(limit);
            case Value.Text(String number) when type == Primitive.DY_NUMBER ->
                    new BigDecimal(number).compareTo(exactly(limit)) <= 0;
            default -> false;
        };
    }

    /// The keys of all rows that have expired, of a table whose keys begin with the time; nothing
    /// of another one.
    Optional<KeyRange> expiredKeys(Table table, long nowMicros) {
        return table.keyColumns().getFirst() == columnIn(table)
                ? Optional.of(new KeyRange(FIRST_TIME, endOfExpired(nowMicros)))
                : Optional.empty();
    }

    /// Those of them that had not expired at an earlier time.
    Optional<KeyRange> expiredKeysSince(Table table, long earlierMicros, long nowMicros) {
        return expiredKeys(table, nowMicros)
                .map(all -> new KeyRange(endOfExpired(earlierMicros), all.to()));
    }

    private Bytes endOfExpired(long nowMicros) {
        return Objects.requireNonNull(KeyCodec.prefixEnd(lastKey(limitMicros(nowMicros))));
    }

    /// What the greatest of such keys begin with; NULL's, which has not expired, if there are none.
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
                // The type has no later times.
                : FIRST_TIME;
    }

    private boolean isUnsigned() {
        return type == Primitive.UINT32 || type == Primitive.UINT64;
    }

    /// The last number of the column that is not later.
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

    /// The same of numbers with a fraction.
    private BigDecimal exactly(long micros) {
        return switch (ttl.unit()) {
            case SECONDS -> BigDecimal.valueOf(micros, 6);
            case MILLISECONDS -> BigDecimal.valueOf(micros, 3);
            case DATE, MICROSECONDS -> BigDecimal.valueOf(micros);
            case NANOSECONDS -> BigDecimal.valueOf(micros, -3);
        };
    }
}

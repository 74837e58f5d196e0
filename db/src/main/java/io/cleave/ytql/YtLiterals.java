package io.cleave.ytql;

import io.cleave.function.yt.YtLiteral;
import io.cleave.function.yt.YtType;
import io.cleave.value.Value;

/// Makes literals.
final class YtLiterals {
    static final YtLiteral NULL = new YtLiteral(YtType.NULL, Value.Null.NULL);

    private YtLiterals() {}

    static YtLiteral signed(long value) {
        return new YtLiteral(YtType.INT64, Value.of(value));
    }

    static YtLiteral unsigned(long bits) {
        return new YtLiteral(YtType.UINT64, Value.of(bits));
    }

    static YtLiteral real(double value) {
        return new YtLiteral(YtType.DOUBLE, Value.of(value));
    }

    static YtLiteral bool(boolean value) {
        return new YtLiteral(YtType.BOOLEAN, Value.bool(value));
    }
}

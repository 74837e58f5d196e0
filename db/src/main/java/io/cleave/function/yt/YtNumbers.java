package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

/// Operations on numbers that several functions share.
final class YtNumbers {
    private YtNumbers() {}

    /// Orders NaN after every number, and -0.0 equal to 0.0.
    static int compare(double left, double right) {
        return Double.compare(left + 0.0, right + 0.0);
    }

    /// Like [#compare], but fails for a NaN.
    static int compareNumbers(double left, double right) {
        if (Double.isNaN(left) || Double.isNaN(right)) {
            throw YtQueryErrors.failure("Comparison with NaN");
        }
        return compare(left, right);
    }

    /// The number in the text form of YSON.
    static String text(double value) {
        Bytes yson = YsonWriter.write(new YsonNode.Real(value), YsonWriter.Format.TEXT);
        return yson.utf8();
    }

    /// The number without its fraction. A number outside the range of int64 becomes the least
    /// int64, as on YTsaurus' processors.
    static long whole(double value) {
        return value >= -0x1p63 && value < 0x1p63 ? (long) value : Long.MIN_VALUE;
    }
}

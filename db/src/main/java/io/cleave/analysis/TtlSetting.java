package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;
import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Statement.SettingValue;

import java.util.Locale;
import java.util.Optional;

/// Parses `Interval("P30D") ON column AS SECONDS`. The catalog checks whether the column is
/// suitable.
final class TtlSetting {
    private static final long SECOND_MICROS = 1_000_000;

    private TtlSetting() {}

    static Ttl read(Position at, SettingValue.Ttl setting, AnalysisContext context) {
        Typed interval = new BaseScope(context, null).analyze(setting.interval());
        if (!(interval instanceof Typed.Constant(var type, Value.Int(long micros)))
                || (type.unwrapped() != Primitive.INTERVAL
                        && type.unwrapped() != Primitive.INTERVAL64)) {
            throw AnalysisContext.error(at, "Literal of Interval type is expected for TTL");
        }
        if (micros < 0) {
            throw AnalysisContext.error(at, "Interval value cannot be negative");
        }
        // A fraction of a second is dropped. The run interval is reset to its default.
        return new Ttl(setting.column(), unit(at, setting.unit()), micros / SECOND_MICROS, 0);
    }

    private static TtlUnit unit(Position at, Optional<String> unit) {
        if (unit.isEmpty()) {
            return TtlUnit.DATE;
        }
        return switch (unit.get().toUpperCase(Locale.ROOT)) {
            case "SECONDS" -> TtlUnit.SECONDS;
            case "MILLISECONDS" -> TtlUnit.MILLISECONDS;
            case "MICROSECONDS" -> TtlUnit.MICROSECONDS;
            case "NANOSECONDS" -> TtlUnit.NANOSECONDS;
            default -> throw AnalysisContext.error(at, "Invalid TTL settings: " + unit.get());
        };
    }
}

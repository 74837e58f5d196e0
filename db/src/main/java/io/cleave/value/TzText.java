package io.cleave.value;

import io.cleave.value.Type.Primitive;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;

/// Local dates with the name of their zone, `2017-11-27T13:24:00,Europe/Moscow`. They exist in
/// expressions only; no column holds one.
final class TzText {
    private TzText() {}

    /// The text as it is printed, if it is a legal value of the type.
    static Optional<String> normalize(Primitive type, String text) {
        int comma = text.indexOf(',');
        if (comma < 0) {
            return Optional.empty();
        }
        String zone = text.substring(comma + 1);
        String local = text.substring(0, comma);
        return switch (type) {
            case TZ_DATE -> local(Primitive.DATE, local, zone);
            case TZ_DATETIME -> local(Primitive.DATETIME, local + "Z", zone);
            case TZ_TIMESTAMP -> local(Primitive.TIMESTAMP, local + "Z", zone);
            default -> Optional.empty();
        };
    }

    private static Optional<String> local(Primitive type, String local, String zone) {
        if (!isZone(zone)) {
            return Optional.empty();
        }
        return DateText.parse(type, local)
                .map(number -> DateText.print(type, number).replace("Z", "") + "," + zone);
    }

    private static boolean isZone(String name) {
        try {
            return !ZoneId.of(name).getId().isEmpty() && Character.isLetter(name.charAt(0));
        } catch (DateTimeException _) {
            return false;
        }
    }
}

package io.cleave.sim.history;

import java.util.Locale;

/// Something in a history that no serial execution explains. The kinds of cycles are Adya's, as
/// Elle names them.
public record Anomaly(Kind kind, String story) {
    public enum Kind {
        /// A list holds an element that nobody has appended.
        GARBAGE,
        /// A list holds an element twice.
        DUPLICATE,
        /// Two reads of one list, neither of which begins with the other.
        INCOMPATIBLE,
        /// A transaction does not see its own appends, or sees a list change by itself.
        INTERNAL,
        /// A read of what a transaction appended that was aborted.
        G1A("G1a"),
        /// A read of what a transaction had appended before it was done.
        G1B("G1b"),
        /// Writes follow each other in a circle.
        G0("G0"),
        /// Writes and reads of what was written, in a circle.
        G1C("G1c"),
        /// A circle with one read of what another has then overwritten.
        G_SINGLE("G-single"),
        /// A circle with several of those.
        G2("G2"),
        /// The same circles, when it also counts that one transaction ended before another began.
        G0_REALTIME("G0-realtime"),
        G1C_REALTIME("G1c-realtime"),
        G_SINGLE_REALTIME("G-single-realtime"),
        G2_REALTIME("G2-realtime");

        private final String text;

        Kind() {
            text = name().toLowerCase(Locale.ROOT);
        }

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Override
    public String toString() {
        return kind + ": " + story;
    }
}

package io.cleave.base;

/// Checks of assumptions in our own code. A failed check is a bug, never a user's mistake: invalid
/// input is refused with a [StatusException] before it reaches a check.
public final class Check {
    private Check() {}

    public static void that(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }

    /// As [#that(boolean, String)], with values for the message, which is formatted only if the
    /// check fails.
    @SuppressWarnings("AnnotateFormatMethod") // callers pass constant formats; checked in review
    public static void that(boolean holds, String format, Object... numbers) {
        if (!holds) {
            throw new IllegalStateException(String.format(format, numbers));
        }
    }
}

package io.cleave.base;

/// Checks of what our own code promises. A failed one is a bug, never a user's mistake: a user's
/// input is refused with a [StatusException] before it can reach a check.
public final class Check {
    private Check() {}

    public static void that(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }

    /// As [#that(boolean, String)], with the numbers in the message; they are formatted only when
    /// it fails.
    @SuppressWarnings("AnnotateFormatMethod") // callers pass constant formats; checked in review
    public static void that(boolean holds, String format, Object... numbers) {
        if (!holds) {
            throw new IllegalStateException(String.format(format, numbers));
        }
    }
}

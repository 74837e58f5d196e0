package io.cleave.balance.yt.formula;

import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

/// The error of a text that is no formula. It shows the text and the place.
final class FormulaErrors {
    /// The length of the part of the text that is given as an attribute of the error.
    private static final int CONTEXT = 30;

    private FormulaErrors() {}

    /// An error at a position of the text.
    static YtException at(String text, int position, String problem) {
        int from = Math.max(0, position - CONTEXT / 2);
        String context = text.substring(from, Math.min(text.length(), from + CONTEXT));
        String message =
                "Error while parsing arithmetic formula:\n%s\n%s^\n%s"
                        .formatted(text, " ".repeat(position), problem);
        return YtError.of(YtCodes.GENERIC, message)
                .with("context", context)
                .with("context_pos", YsonNode.of(position - from))
                .exception();
    }

    /// The text in double quotes; characters that are not printable are escaped.
    static String quoted(String text) {
        return YsonNode.text(text).print();
    }
}

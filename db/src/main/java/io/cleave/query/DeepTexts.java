package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;

import java.util.function.Supplier;

/// Handles texts whose statements may be very deep trees: `1 + 1 + …` a thousand times, or a
/// hundred parentheses. Code that walks such a tree recurses once for each level, so it runs on a
/// large stack. Other texts are processed on the current stack, which costs nothing.
final class DeepTexts {
    /// A text up to this length is deep only if its parentheses are.
    private static final int SHORT_CHARS = 800;

    private static final int FEW_PARENTHESES = 25;

    private DeepTexts() {}

    static boolean isDeep(String text) {
        return text.length() > SHORT_CHARS || parentheses(text) > FEW_PARENTHESES;
    }

    /// Whether the text is deep when texts have taken the place of its placeholders.
    static boolean isDeep(QueryText text) {
        return text.expandedChars() > SHORT_CHARS
                || isDeep(text.text())
                || text.insertions().stream().anyMatch(insertion -> isDeep(insertion.text()));
    }

    /// The maximum nesting depth. Parentheses in strings and comments count, too, which does no
    /// harm.
    private static int parentheses(String text) {
        int open = 0;
        int most = 0;
        for (int index = 0; index < text.length(); index++) {
            switch (text.charAt(index)) {
                case '(', '[', '{', '<' -> most = Math.max(most, ++open);
                case ')', ']', '}', '>' -> open--;
                default -> {}
            }
        }
        return most;
    }

    /// Runs `work`, which reads the text.
    static <T> T read(Env env, String text, Supplier<T> work) {
        return isDeep(text) ? onLargeStack(env, work) : work.get();
    }

    static <T> T onLargeStack(Env env, Supplier<T> work) {
        try {
            return env.deep(work);
        } catch (StackOverflowError _) {
            // Only nested views can cause this: the parser limits the depth of each text.
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    "The query is nested too deeply after its views are expanded");
        }
    }

    /// Thrown if a text that is not deep uses a deep one: that of a view, or of a generated column.
    /// Nobody sees it, so it has no stack trace.
    static final class DeepInside extends RuntimeException {
        private static final long serialVersionUID = 1;

        DeepInside() {
            super("a deep text inside", null, false, false);
        }
    }

    /// Whether the table has a generated column whose expression is deep.
    static boolean isDeep(Table table) {
        for (Column column : table.key()) {
            if (column.preset().orElse(null) instanceof Preset.Generated(String expression, _)
                    && isDeep(expression)) {
                return true;
            }
        }
        return false;
    }
}

package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;

import java.util.function.Supplier;

/// Texts whose statements may be trees of a great depth: `1 + 1 + …` a thousand times, or a hundred
/// parentheses. Whoever reads such a tree calls itself once a level, and does it on a large stack.
/// All others are read where they are, which costs nothing.
final class DeepTexts {
    /// A shorter text is no deep tree unless its parentheses make one.
    private static final int SHORT_CHARS = 800;

    private static final int FEW_PARENTHESES = 25;

    private DeepTexts() {}

    static boolean isDeep(String text) {
        return text.length() > SHORT_CHARS || parentheses(text) > FEW_PARENTHESES;
    }

    /// The most that are open at once. Those in strings and comments count, too: that is no harm.
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

    /// Does what reads the text.
    static <T> T read(Env env, String text, Supplier<T> work) {
        return isDeep(text) ? onLargeStack(env, work) : work.get();
    }

    static <T> T onLargeStack(Env env, Supplier<T> work) {
        try {
            return env.deep(work);
        } catch (StackOverflowError _) {
            // Only views of views come here: each of them by itself is bounded by the parser.
            throw new StatusException(
                    Status.GENERIC_ERROR, "The text is nested too deeply with the views in it");
        }
    }

    /// A text that is not deep has one in it that is: that of a view, or of a generated column.
    /// Nobody sees it: no stack.
    static final class DeepInside extends RuntimeException {
        private static final long serialVersionUID = 1;

        DeepInside() {
            super("a deep text inside", null, false, false);
        }
    }

    /// Whether the table has a generated column whose expression is deep.
    static boolean isDeep(Table table) {
        for (Column column : table.key()) {
            if (column.preset().orElse(null) instanceof Preset.Generated(String expression)
                    && isDeep(expression)) {
                return true;
            }
        }
        return false;
    }
}

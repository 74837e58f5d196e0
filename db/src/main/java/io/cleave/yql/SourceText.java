package io.cleave.yql;

import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Extracts parts of a text that are stored on their own, such as views and generated columns. A
/// part must have the same meaning when it is parsed without the header and the pragmas of its
/// text. If these affect it, the part is written again, token by token.
final class SourceText {
    private final String text;
    private final List<Token> tokens;
    private final boolean ansi;

    SourceText(String text, List<Token> tokens, boolean ansi) {
        this.text = text;
        this.tokens = tokens;
        this.ansi = ansi;
    }

    /// With `unicode`, a string without a type suffix is Utf8.
    String of(ParserRuleContext part, boolean unicode) {
        Token first = part.start;
        Token last = part.stop;
        // Token positions count code points.
        int[] points = text.codePoints().toArray();
        if (!ansi && !unicode) {
            return between(points, first.getStartIndex(), last.getStopIndex() + 1);
        }
        Set<Token> strings = new HashSet<>();
        if (unicode) {
            addStrings(part, strings);
        }
        var written = new StringBuilder();
        int from = first.getStartIndex();
        for (Token token : tokens.subList(first.getTokenIndex(), last.getTokenIndex() + 1)) {
            written.append(gap(between(points, from, token.getStartIndex())));
            written.append(token.getText());
            if (strings.contains(token) && !Literals.hasSuffix(token.getText())) {
                written.append('u');
            }
            from = token.getStopIndex() + 1;
        }
        return written.toString();
    }

    private static String between(int[] points, int from, int to) {
        return new String(points, from, to - from);
    }

    /// The white space between two tokens. Comments are dropped: nested ones are valid in ANSI
    /// only.
    private static String gap(String between) {
        return between.isBlank() ? between : between.contains("\n") ? "\n" : " ";
    }

    /// Collects the strings that are values. Strings that are names or paths get no suffix.
    private static void addStrings(ParseTree part, Set<Token> strings) {
        if (part instanceof Yql.LiteralContext literal && literal.STRING() != null) {
            strings.add(literal.start);
        }
        for (int index = 0; index < part.getChildCount(); index++) {
            addStrings(part.getChild(index), strings);
        }
    }
}

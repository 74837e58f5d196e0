package io.cleave.cli;

import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

import java.util.ArrayList;
import java.util.List;

/// Tells the line reader when a text is complete, and which word the cursor is in.
final class ShellParser implements Parser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (context == ParseContext.ACCEPT_LINE
                && !Shell.isCommand(line)
                && !Script.isComplete(line)) {
            throw new EOFError(-1, -1, "not closed by a semicolon");
        }
        return words(line, cursor);
    }

    private static Words words(String line, int cursor) {
        List<String> words = new ArrayList<>();
        int from = cursor;
        while (from > 0 && isPathPart(line.charAt(from - 1))) {
            from--;
        }
        int to = cursor;
        while (to < line.length() && isPathPart(line.charAt(to))) {
            to++;
        }
        for (String word : line.substring(0, from).split("\\s+")) {
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
        words.add(line.substring(from, to));
        return new Words(line, cursor, words, cursor - from);
    }

    private static boolean isPathPart(char c) {
        return Lexeme.isWordPart(c) || c == '/' || c == '.' || c == '-' || c == '\\';
    }

    /// The last word is the one being typed.
    private record Words(String line, int cursor, List<String> words, int wordCursor)
            implements CompletingParsedLine {
        @Override
        public String word() {
            return words.getLast();
        }

        @Override
        public int wordIndex() {
            return words.size() - 1;
        }

        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate;
        }

        @Override
        public int rawWordCursor() {
            return wordCursor;
        }

        @Override
        public int rawWordLength() {
            return word().length();
        }
    }
}

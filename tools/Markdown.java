import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Keeps the prose of Markdown pages within [#WIDTH] columns. A paragraph or list item with a wider
/// line is filled again. Tables, headings and code blocks stay as they are, and so do links and
/// code in backticks: they may be wider, but then they stand alone on their line.
class Markdown {
    static final int WIDTH = 100;

    /// What a paragraph begins with: quote marks, then the mark of a list item.
    private static final Pattern START =
            Pattern.compile("(\\s*(?:>\\s?)*)((?:[-*+]|\\d+[.)])\\s+)?(.*)");

    /// A word; a link and code in backticks count as one word, whatever is in them.
    private static final Pattern WORD =
            Pattern.compile("(?:`[^`]+`|!?\\[[^\\]]*\\]\\([^)]*\\)|\\S)+");

    /// Words that would begin a list, a heading or a quote at the start of a line.
    private static final Pattern MARK = Pattern.compile("[-*+>|=]|#+|\\d+[.)]");

    private final List<String> filled = new ArrayList<>();

    /// The lines of the current paragraph.
    private final List<String> paragraph = new ArrayList<>();

    private Markdown() {}

    /// The page with every paragraph that was too wide filled again.
    static String fill(String page) {
        var markdown = new Markdown();
        boolean inCode = false;
        for (String line : page.split("\n", -1)) {
            boolean fence = line.strip().startsWith("```");
            if (fence || inCode || standsAlone(line)) {
                markdown.endParagraph();
                markdown.filled.add(line);
            } else {
                if (isItem(line)) {
                    markdown.endParagraph();
                }
                markdown.paragraph.add(line);
            }
            inCode ^= fence;
        }
        markdown.endParagraph();
        return String.join("\n", markdown.filled);
    }

    private static boolean standsAlone(String line) {
        String text = line.strip();
        return text.isEmpty()
                || text.startsWith("|")
                || text.startsWith("#")
                || text.startsWith("<");
    }

    private static boolean isItem(String line) {
        Matcher start = START.matcher(line);
        return start.matches() && start.group(2) != null;
    }

    private void endParagraph() {
        boolean wide = paragraph.stream().anyMatch(line -> line.length() > WIDTH);
        if (wide) {
            filled.addAll(fill(paragraph));
        } else {
            filled.addAll(paragraph);
        }
        paragraph.clear();
    }

    private static List<String> fill(List<String> lines) {
        Matcher start = START.matcher(lines.getFirst());
        if (!start.matches()) {
            throw new IllegalStateException(lines.getFirst());
        }
        String mark = start.group(2) == null ? "" : start.group(2);
        String indent = start.group(1) + " ".repeat(mark.length());
        var text = new StringBuilder(start.group(3));
        for (String line : lines.subList(1, lines.size())) {
            text.append(' ').append(line.strip().replaceFirst("^(>\\s?)+", ""));
        }
        List<String> result = new ArrayList<>();
        var current = new StringBuilder(start.group(1) + mark);
        boolean empty = true;
        Matcher words = WORD.matcher(text);
        while (words.find()) {
            String word = words.group();
            boolean fits = current.length() + 1 + word.length() <= WIDTH;
            if (!empty && !fits && !MARK.matcher(word).matches()) {
                result.add(current.toString());
                current = new StringBuilder(indent);
                empty = true;
            }
            current.append(empty ? "" : " ").append(word);
            empty = false;
        }
        result.add(current.toString());
        return result;
    }
}

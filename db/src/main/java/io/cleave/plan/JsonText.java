package io.cleave.plan;

import java.util.List;
import java.util.Map;

/// Writes JSON from maps, lists, strings, Integers and booleans. Any other value is written as a
/// string.
final class JsonText {
    private JsonText() {}

    static String of(Object value) {
        var text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder text) {
        switch (value) {
            case Map<?, ?> map -> {
                char separator = '{';
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    text.append(separator);
                    string(entry.getKey().toString(), text);
                    text.append(':');
                    write(entry.getValue(), text);
                    separator = ',';
                }
                text.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                char separator = '[';
                for (Object item : list) {
                    text.append(separator);
                    write(item, text);
                    separator = ',';
                }
                text.append(list.isEmpty() ? "[]" : "]");
            }
            case Boolean bool -> text.append(bool);
            case Integer number -> text.append(number);
            default -> string(value.toString(), text);
        }
    }

    private static void string(String value, StringBuilder text) {
        text.append('"');
        for (int index = 0; index < value.length(); index++) {
            char c = value.charAt(index);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < ' ') {
                        text.append("\\u%04x".formatted((int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}

package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The attributes of a format, such as those of `<format=text>yson`. Unknown ones are ignored,
/// because clients send attributes that are for themselves.
record FormatAttributes(YsonNode.Members members) {
    boolean flag(String name, boolean byDefault) {
        return find(name)
                .map(
                        value ->
                                switch (value) {
                                    case YsonNode.Bool(boolean flag) -> flag;
                                    case YsonNode.Text(Bytes text)
                                            when text.utf8().equals("true") ->
                                            true;
                                    case YsonNode.Text(Bytes text)
                                            when text.utf8().equals("false") ->
                                            false;
                                    default -> throw invalid(name, value);
                                })
                .orElse(byDefault);
    }

    String text(String name, String byDefault) {
        return find(name)
                .map(value -> value.string().orElseThrow(() -> invalid(name, value)))
                .orElse(byDefault);
    }

    /// One of several words.
    String choice(String name, String byDefault, String... words) {
        String word = text(name, byDefault);
        if (!List.of(words).contains(word)) {
            throw invalid(name, YsonNode.text(word));
        }
        return word;
    }

    /// A single byte, such as a separator.
    byte symbol(String name, char byDefault) {
        String text = text(name, String.valueOf(byDefault));
        if (text.length() != 1 || text.charAt(0) >= 0x80) {
            throw invalid(name, YsonNode.text(text));
        }
        return (byte) text.charAt(0);
    }

    Optional<List<Bytes>> texts(String name) {
        return find(name)
                .map(
                        value -> {
                            if (!(value instanceof YsonNode.Items(List<YsonNode> items))) {
                                throw invalid(name, value);
                            }
                            var texts = new ArrayList<Bytes>();
                            for (YsonNode item : items) {
                                if (!(item.bare() instanceof YsonNode.Text(Bytes text))) {
                                    throw invalid(name, value);
                                }
                                texts.add(text);
                            }
                            return texts;
                        });
    }

    private Optional<YsonNode> find(String name) {
        return members.member(name)
                .map(YsonNode::bare)
                .filter(value -> !(value instanceof YsonNode.Entity));
    }

    private static YtException invalid(String name, YsonNode value) {
        return new YtException(
                YtCodes.GENERIC,
                "Error parsing format attribute \"%s\": unexpected value %s"
                        .formatted(name, value.print()));
    }
}

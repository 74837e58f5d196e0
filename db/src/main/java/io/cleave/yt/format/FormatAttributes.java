package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The attributes of a format, such as those of `<format=text>yson`. Unknown attributes are
/// ignored, because clients also send attributes for their own use. An unsupported attribute that
/// would change what is read or written is refused by name.
record FormatAttributes(YsonNode.Members members) {
    /// Texts and lists up to this size are shown in messages.
    private static final int MAX_SHOWN_BYTES = 1 << 10;

    /// Refuses the attributes if they are set to anything but `false`.
    void refuse(String format, String... names) {
        for (String name : names) {
            Optional<YsonNode> value = find(name);
            if (value.isPresent() && !value.get().equals(YsonNode.bool(false))) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "Attribute \"%s\" of format %s is not supported".formatted(name, format));
            }
        }
    }

    /// Refuses the attribute unless it has this value.
    void require(String format, String name, String only) {
        String word = text(name, only);
        if (!word.equals(only)) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Attribute \"%s\" of format %s must be \"%s\": other values are not supported"
                            .formatted(name, format, only));
        }
    }

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

    /// The value of an attribute that is one of several words.
    String choice(String name, String byDefault, String... words) {
        String word = text(name, byDefault);
        if (!List.of(words).contains(word)) {
            throw invalid(name, YsonNode.text(word));
        }
        return word;
    }

    /// The value of an attribute that is a single byte, such as a separator.
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
                        .formatted(name, shown(value)));
    }

    /// A value for a message, or its type if it is large.
    static String shown(YsonNode value) {
        return TreeSize.of(value) <= MAX_SHOWN_BYTES
                ? value.print()
                : "a large " + value.typeName();
    }
}

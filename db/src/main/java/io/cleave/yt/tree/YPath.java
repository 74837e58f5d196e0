package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.schema.ObjectId;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A path of YTsaurus' tree: `//a/b`, `#1-2-3-4/c`, `//a/@attribute/inner`, `//link&`.
///
/// @param text the path as the client wrote it, for messages
/// @param id the object where the path begins; empty for the root
/// @param isRootSuppressed whether `&` stands after the root or the id
/// @param steps the children, from the root
/// @param attribute what stands after `/@`; empty if the path names no attribute
/// @param isAll whether the path ends with `/*`
public record YPath(
        String text,
        Optional<ObjectId> id,
        boolean isRootSuppressed,
        List<Step> steps,
        Optional<List<Bytes>> attribute,
        boolean isAll) {
    public YPath {
        steps = List.copyOf(steps);
        attribute = attribute.map(List::copyOf);
    }

    /// A child.
    ///
    /// @param isSuppressed whether `&` stands after it, so that a link is not followed
    public record Step(Bytes key, boolean isSuppressed) {}

    public static YPath parse(String text) {
        return parse(Bytes.utf8(text));
    }

    public static YPath parse(Bytes bytes) {
        var tokens = new YPathTokens(bytes);
        Optional<ObjectId> id = root(tokens);
        boolean isRootSuppressed = tokens.skip(YPathTokens.Kind.AMPERSAND);
        List<Step> steps = new ArrayList<>();
        Optional<List<Bytes>> attribute = Optional.empty();
        boolean isAll = false;
        while (!tokens.isAt(YPathTokens.Kind.END) && !isAll && attribute.isEmpty()) {
            tokens.expect(YPathTokens.Kind.SLASH);
            if (id.isEmpty() && steps.isEmpty() && tokens.isAt(YPathTokens.Kind.END)) {
                // `//` is the root, too.
                continue;
            }
            switch (tokens.kind()) {
                case LITERAL -> {
                    Bytes key = tokens.literal();
                    if (key.isEmpty()) {
                        throw new YtException(YtCodes.GENERIC, "Child key cannot be empty");
                    }
                    tokens.advance();
                    steps.add(new Step(key, tokens.skip(YPathTokens.Kind.AMPERSAND)));
                }
                case AT -> {
                    tokens.advance();
                    List<Bytes> keys = new ArrayList<>();
                    isAll = inner(tokens, keys, true);
                    attribute = Optional.of(keys);
                }
                case ASTERISK -> {
                    tokens.advance();
                    tokens.expect(YPathTokens.Kind.END);
                    isAll = true;
                }
                default -> throw tokens.unexpected();
            }
        }
        if (!tokens.isAt(YPathTokens.Kind.END)) {
            throw tokens.unexpected();
        }
        return new YPath(bytes.utf8(), id, isRootSuppressed, steps, attribute, isAll);
    }

    /// The object where the path begins; empty for the root.
    private static Optional<ObjectId> root(YPathTokens tokens) {
        return switch (tokens.kind()) {
            case END -> throw new YtException(YtCodes.GENERIC, "YPath cannot be empty");
            case SLASH -> {
                tokens.advance();
                yield Optional.empty();
            }
            case LITERAL -> {
                if (!tokens.token().startsWith("#")) {
                    throw tokens.unexpected();
                }
                String text = tokens.token().substring(1);
                tokens.advance();
                yield Optional.of(
                        ObjectId.parse(text)
                                .orElseThrow(
                                        () ->
                                                new YtException(
                                                        YtCodes.RESOLVE_ERROR,
                                                        "Error parsing object id " + text)));
            }
            default -> throw tokens.unexpected();
        };
    }

    /// Reads the keys of a path inside a value. Returns whether it ends with `*`.
    private static boolean inner(YPathTokens tokens, List<Bytes> keys, boolean begins) {
        boolean first = begins;
        while (!tokens.isAt(YPathTokens.Kind.END)) {
            if (!first) {
                tokens.expect(YPathTokens.Kind.SLASH);
            }
            first = false;
            switch (tokens.kind()) {
                case LITERAL -> {
                    keys.add(tokens.literal());
                    tokens.advance();
                }
                case ASTERISK -> {
                    tokens.advance();
                    tokens.expect(YPathTokens.Kind.END);
                    return true;
                }
                default -> throw tokens.unexpected();
            }
        }
        return false;
    }

    /// Splits a path inside a value, such as `a/0`, into its keys.
    static List<Bytes> innerKeys(Bytes path) {
        var tokens = new YPathTokens(path);
        List<Bytes> keys = new ArrayList<>();
        if (inner(tokens, keys, true)) {
            throw new YtException(YtCodes.GENERIC, "\"*\" is only allowed for Remove method");
        }
        return keys;
    }

    /// A key as it is written in a path.
    public static String literal(Bytes key) {
        var text = new StringBuilder();
        for (byte each : key.array()) {
            int c = each & 0xFF;
            if (YPathTokens.isSpecial(c)) {
                text.append('\\').append((char) c);
            } else if (c < 32 || c > 127) {
                text.append("\\x%02x".formatted(c));
            } else {
                text.append((char) c);
            }
        }
        return text.toString();
    }

    public static String literal(String key) {
        return literal(Bytes.utf8(key));
    }
}

package io.cleave.value;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.LongConsumer;

/// Parses YSON by recursive descent.
///
/// ```
/// value     = [ "<" members ">" ] ( "{" members "}" | "[" items "]" | scalar )
/// members   = string "=" value, separated by ";", which may also follow the last one
/// items     = value, separated by ";", which may also follow the last one
/// ```
///
/// Bytes that are not YSON, are nested too deeply, or would take too much memory as a tree end with
/// a [YsonException].
public final class YsonReader {
    /// Values may be nested this deeply.
    public static final int MAX_DEPTH = 256;

    // Estimates of the heap that nodes take, with the place in their list or map.
    private static final int NODE_BYTES = 48;
    private static final int MEMBER_BYTES = 96;
    private static final int MAP_BYTES = 200;

    private static final YsonNode ENTITY = new YsonNode.Entity();
    private static final YsonNode TRUE = new YsonNode.Bool(true);
    private static final YsonNode FALSE = new YsonNode.Bool(false);
    private static final YsonNode NO_ITEMS = new YsonNode.Items(List.of());

    private final YsonLexer lexer;
    private final LongConsumer heap;
    private long heapBytesLeft;

    private YsonReader(Bytes data, long maxHeapBytes) {
        this(data, maxHeapBytes, _ -> {});
    }

    private YsonReader(Bytes data, long maxHeapBytes, LongConsumer heap) {
        lexer = new YsonLexer(data);
        heapBytesLeft = maxHeapBytes;
        this.heap = heap;
    }

    /// The value in the bytes, which must be exactly one.
    public static YsonNode read(Bytes data) {
        return read(data, Long.MAX_VALUE);
    }

    /// The value in the bytes, which must be exactly one. The tree may take about `maxHeapBytes`.
    public static YsonNode read(Bytes data, long maxHeapBytes) {
        return read(data, maxHeapBytes, _ -> {});
    }

    /// The value in the bytes, as above. `heap` is told, before each part of the tree is made,
    /// about how many bytes it takes. It throws to end the reading.
    public static YsonNode read(Bytes data, long maxHeapBytes, LongConsumer heap) {
        var reader = new YsonReader(data, maxHeapBytes, heap);
        YsonNode node = reader.value(reader.lexer.next(), 0);
        if (reader.lexer.next() != YsonToken.END) {
            throw reader.lexer.misplaced("the end");
        }
        return node;
    }

    /// The items of a list without its brackets: `1;2;3`.
    public static List<YsonNode> readItems(Bytes data, long maxHeapBytes) {
        var reader = new YsonReader(data, maxHeapBytes);
        return reader.items(YsonToken.END, 0);
    }

    /// The members of a map without its braces: `a=1;b=2`.
    public static YsonNode.Members readMembers(Bytes data, long maxHeapBytes) {
        var reader = new YsonReader(data, maxHeapBytes);
        return reader.members(YsonToken.END, 0);
    }

    /// Whether the bytes are exactly one value.
    static boolean isValid(Bytes data) {
        try {
            var lexer = new YsonLexer(data);
            copy(lexer, lexer.next(), null, 0);
            return lexer.next() == YsonToken.END;
        } catch (YsonException _) {
            return false;
        }
    }

    /// Reads the value that begins with the token `first`, which was read last, and writes its
    /// binary form.
    public static void copy(YsonLexer lexer, YsonToken first, ByteWriter target) {
        copy(lexer, first, target, 0);
    }

    private YsonNode value(YsonToken first, int depth) {
        if (depth > MAX_DEPTH) {
            throw tooDeep(lexer);
        }
        charge(NODE_BYTES);
        return switch (first) {
            case BEGIN_ATTRIBUTES -> {
                YsonNode.Members attributes = members(YsonToken.END_ATTRIBUTES, depth);
                YsonToken next = lexer.next();
                if (next == YsonToken.BEGIN_ATTRIBUTES) {
                    throw lexer.error("Repeating attributes are not allowed");
                }
                yield new YsonNode.Attributed(attributes, value(next, depth));
            }
            case BEGIN_MAP -> members(YsonToken.END_MAP, depth);
            case BEGIN_LIST -> {
                List<YsonNode> items = items(YsonToken.END_LIST, depth);
                yield items.isEmpty() ? NO_ITEMS : new YsonNode.Items(items);
            }
            case STRING -> {
                charge(lexer.textTo() - lexer.textFrom());
                yield new YsonNode.Text(lexer.text());
            }
            case INT64 -> new YsonNode.Int64(lexer.bits());
            case UINT64 -> new YsonNode.Uint64(lexer.bits());
            case DOUBLE -> new YsonNode.Real(Double.longBitsToDouble(lexer.bits()));
            case BOOLEAN -> lexer.bits() == 1 ? TRUE : FALSE;
            case ENTITY -> ENTITY;
            case END_LIST, END_MAP, END_ATTRIBUTES, EQUALS, SEMICOLON, END ->
                    throw lexer.misplaced("a value");
        };
    }

    private YsonNode.Members members(YsonToken closing, int depth) {
        YsonToken token = lexer.next();
        if (token == closing) {
            return YsonNode.Members.EMPTY;
        }
        charge(MAP_BYTES);
        var members = new LinkedHashMap<Bytes, YsonNode>();
        while (token != closing) {
            if (token != YsonToken.STRING) {
                throw lexer.misplaced("a key");
            }
            charge(MEMBER_BYTES + lexer.textTo() - lexer.textFrom());
            Bytes name = lexer.text();
            expectEquals(lexer);
            // If a name occurs several times, the first member counts.
            members.putIfAbsent(name, value(lexer.next(), depth + 1));
            token = afterItem(lexer, closing);
        }
        return new YsonNode.Members(members);
    }

    private List<YsonNode> items(YsonToken closing, int depth) {
        var items = new ArrayList<YsonNode>();
        YsonToken token = lexer.next();
        while (token != closing) {
            items.add(value(token, depth + 1));
            token = afterItem(lexer, closing);
        }
        return items;
    }

    private void charge(long bytes) {
        heapBytesLeft -= bytes;
        if (heapBytesLeft < 0) {
            throw lexer.error("Memory limit exceeded while parsing YSON");
        }
        heap.accept(bytes);
    }

    private static void copy(
            YsonLexer lexer, YsonToken first, @Nullable ByteWriter target, int depth) {
        if (depth > MAX_DEPTH) {
            throw tooDeep(lexer);
        }
        if (target != null) {
            write(lexer, first, target);
        }
        switch (first) {
            case BEGIN_ATTRIBUTES -> {
                copyMembers(lexer, YsonToken.END_ATTRIBUTES, '>', target, depth);
                YsonToken next = lexer.next();
                if (next == YsonToken.BEGIN_ATTRIBUTES) {
                    throw lexer.error("Repeating attributes are not allowed");
                }
                copy(lexer, next, target, depth);
            }
            case BEGIN_MAP -> copyMembers(lexer, YsonToken.END_MAP, '}', target, depth);
            case BEGIN_LIST -> {
                YsonToken token = lexer.next();
                while (token != YsonToken.END_LIST) {
                    copy(lexer, token, target, depth + 1);
                    put(target, ';');
                    token = afterItem(lexer, YsonToken.END_LIST);
                }
                put(target, ']');
            }
            case STRING, INT64, UINT64, DOUBLE, BOOLEAN, ENTITY -> {}
            case END_LIST, END_MAP, END_ATTRIBUTES, EQUALS, SEMICOLON, END ->
                    throw lexer.misplaced("a value");
        }
    }

    private static void copyMembers(
            YsonLexer lexer,
            YsonToken closing,
            char closingByte,
            @Nullable ByteWriter target,
            int depth) {
        YsonToken token = lexer.next();
        while (token != closing) {
            if (token != YsonToken.STRING) {
                throw lexer.misplaced("a key");
            }
            if (target != null) {
                write(lexer, token, target);
            }
            expectEquals(lexer);
            put(target, '=');
            copy(lexer, lexer.next(), target, depth + 1);
            put(target, ';');
            token = afterItem(lexer, closing);
        }
        put(target, closingByte);
    }

    private static void write(YsonLexer lexer, YsonToken token, ByteWriter target) {
        switch (token) {
            case STRING ->
                    YsonBinary.string(target, lexer.textArray(), lexer.textFrom(), lexer.textTo());
            case INT64 -> YsonBinary.int64(target, lexer.bits());
            case UINT64 -> YsonBinary.uint64(target, lexer.bits());
            case DOUBLE -> YsonBinary.real(target, lexer.bits());
            case BOOLEAN -> YsonBinary.bool(target, lexer.bits() == 1);
            case ENTITY -> target.putByte('#');
            case BEGIN_LIST -> target.putByte('[');
            case BEGIN_MAP -> target.putByte('{');
            case BEGIN_ATTRIBUTES -> target.putByte('<');
            case END_LIST, END_MAP, END_ATTRIBUTES, EQUALS, SEMICOLON, END -> {}
        }
    }

    private static void put(@Nullable ByteWriter target, char symbol) {
        if (target != null) {
            target.putByte(symbol);
        }
    }

    private static void expectEquals(YsonLexer lexer) {
        if (lexer.next() != YsonToken.EQUALS) {
            throw lexer.misplaced("\"=\"");
        }
    }

    /// Reads the separator after an item. Returns the first token of the next item, or the closing
    /// token.
    private static YsonToken afterItem(YsonLexer lexer, YsonToken closing) {
        YsonToken token = lexer.next();
        if (token == YsonToken.SEMICOLON) {
            return lexer.next();
        }
        if (token != closing) {
            throw lexer.misplaced("\";\"");
        }
        return token;
    }

    private static YsonException tooDeep(YsonLexer lexer) {
        return lexer.error(
                "Depth limit exceeded while parsing YSON: limit %d".formatted(MAX_DEPTH));
    }
}

package io.cleave.yt.format;

import io.cleave.value.YsonException;
import io.cleave.value.YsonLexer;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonReader;
import io.cleave.value.YsonToken;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

/// Reads rows in YSON: maps, separated by `;`. Text and binary tokens may be mixed. Fields are read
/// directly from the bytes; no tree is built.
final class YsonRowInput extends BufferedRowInput {
    private final YsonLexer lexer;

    YsonRowInput(RowWindow window) {
        super(window);
        lexer = new YsonLexer(window.array(), 0, window.to());
    }

    @Override
    void windowMoved() {
        lexer.reset(window.array(), rowFrom, window.to(), window.origin());
    }

    @Override
    boolean readRow() {
        try {
            YsonToken token = lexer.next();
            if (rowIndex() > 0 && token != YsonToken.END) {
                if (token != YsonToken.SEMICOLON) {
                    throw lexer.misplaced("\";\"");
                }
                token = lexer.next();
            }
            switch (token) {
                case END -> {
                    return false;
                }
                case BEGIN_MAP -> readFields();
                case BEGIN_ATTRIBUTES -> throw attributes();
                default -> {
                    if (lexer.at() == window.to() && !window.hasEnd()) {
                        // The token may continue in bytes that are not in the window yet.
                        throw lexer.error("Invalid row format, map expected");
                    }
                    throw inRow("Invalid row format, map expected");
                }
            }
            rowFrom = lexer.at();
            return true;
        } catch (YsonException e) {
            throw BrokenInputException.of(e);
        }
    }

    private void readFields() {
        YsonToken token = lexer.next();
        while (token != YsonToken.END_MAP) {
            if (token != YsonToken.STRING) {
                throw lexer.misplaced("a column name");
            }
            int column = columnOf(lexer.textArray(), lexer.textFrom(), lexer.textTo());
            if (lexer.next() != YsonToken.EQUALS) {
                throw lexer.misplaced("\"=\"");
            }
            readField(column, lexer.next());
            token = lexer.next();
            if (token == YsonToken.SEMICOLON) {
                token = lexer.next();
            } else if (token != YsonToken.END_MAP) {
                throw lexer.misplaced("\";\"");
            }
        }
    }

    private void readField(int column, YsonToken first) {
        switch (first) {
            case INT64 -> add(column, WireType.INT64, lexer.bits());
            case UINT64 -> add(column, WireType.UINT64, lexer.bits());
            case DOUBLE -> add(column, WireType.DOUBLE, lexer.bits());
            case BOOLEAN -> add(column, WireType.BOOLEAN, lexer.bits());
            case ENTITY -> add(column, WireType.NULL, 0);
            case STRING -> {
                if (lexer.isTextInPlace()) {
                    addWindowBytes(column, WireType.STRING, lexer.textFrom(), lexer.textTo());
                } else {
                    int from = extra.length();
                    extra.put(lexer.textArray(), lexer.textFrom(), lexer.textTo());
                    addExtraBytes(column, WireType.STRING, from);
                }
            }
            case BEGIN_LIST, BEGIN_MAP -> {
                int from = extra.length();
                YsonReader.copy(lexer, first, extra);
                addExtraBytes(column, WireType.ANY, from);
            }
            case BEGIN_ATTRIBUTES -> throw attributes();
            case END_LIST, END_MAP, END_ATTRIBUTES, EQUALS, SEMICOLON, END ->
                    throw lexer.misplaced("a value");
        }
    }

    private YtException attributes() {
        return inRow("Table values cannot have top-level attributes");
    }

    private YtException inRow(String message) {
        return YtError.of(YtCodes.GENERIC, message)
                .with("row_index", YsonNode.of(rowIndex()))
                .exception();
    }
}

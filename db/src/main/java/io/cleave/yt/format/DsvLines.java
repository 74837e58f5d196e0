package io.cleave.yt.format;

import io.cleave.base.ByteWriter;

/// Reads the parts of DSV records from a window. A part is a name or a value, without its escapes.
///
/// Threads: one at a time.
final class DsvLines {
    private final DsvSymbols symbols;
    private final RowWindow window;
    private final ByteWriter part = new ByteWriter(64);
    private int at;

    /// The byte that ended the last part: one of the three separators, or the end of the body.
    private byte ending;

    DsvLines(DsvSymbols symbols, RowWindow window) {
        this.symbols = symbols;
        this.window = window;
    }

    void moveTo(int from) {
        at = from;
    }

    int at() {
        return at;
    }

    /// Whether nothing is left in the window.
    boolean atEnd() {
        return at == window.to();
    }

    boolean endedByKeyValue() {
        return ending == symbols.keyValue();
    }

    boolean endedByRecord() {
        return ending == symbols.record();
    }

    /// The bytes of the last part, which are `[0, length)` of its array.
    ByteWriter part() {
        return part;
    }

    /// Reads up to the next separator. A separator between name and value ends only a key. The end
    /// of the body ends a record.
    void next(boolean isKey) {
        part.clear();
        byte[] data = window.array();
        while (true) {
            if (at == window.to()) {
                if (!window.hasEnd()) {
                    throw premature();
                }
                ending = symbols.record();
                return;
            }
            byte c = data[at++];
            if (c == symbols.record()
                    || c == symbols.field()
                    || (isKey && c == symbols.keyValue())) {
                ending = c;
                return;
            }
            if (c == symbols.escaping() && symbols.escapes()) {
                if (at == window.to()) {
                    throw premature();
                }
                part.putByte(DsvSymbols.unescaped(data[at++]));
            } else {
                part.putByte(c);
            }
        }
    }

    private BrokenInputException premature() {
        return new BrokenInputException(
                "DSV", "Premature end of stream", window.origin() + at, true);
    }

    BrokenInputException error(String reason) {
        return new BrokenInputException("DSV", reason, window.origin() + at, false);
    }
}

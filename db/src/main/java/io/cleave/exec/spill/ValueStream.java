package io.cleave.exec.spill;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// Encodes rows of any values as bytes, for files that are written and read by the same run. Each
/// value has its kind before it.
///
/// ```
/// row: varint count, then the values, each:
/// u8  0 NULL, 1 false, 2 true, 3 Int: zigzag varint, 4 Real: u64, 5 Int128: u64 high, u64 low,
///     6 Text, 7 Binary: varint length and bytes, 8 Items: varint count and values,
///     9 Pairs: varint count, keys and payloads, 10 Choice: varint index and value, 11 Just: value
/// ```
final class ValueStream {
    private ValueStream() {}

    static void write(ByteWriter out, Value[] row) {
        out.putVarInt(row.length);
        for (Value value : row) {
            write(out, value);
        }
    }

    private static void write(ByteWriter out, Value value) {
        switch (value) {
            case Value.Null _ -> out.putByte(0);
            case Value.Bool(boolean bool) -> out.putByte(bool ? 2 : 1);
            case Value.Int(long number) -> {
                out.putByte(3);
                out.putVarLong(number << 1 ^ number >> 63);
            }
            case Value.Real(double real) -> {
                out.putByte(4);
                out.putLong(Double.doubleToRawLongBits(real));
            }
            case Value.Int128(long high, long low) -> {
                out.putByte(5);
                out.putLong(high);
                out.putLong(low);
            }
            case Value.Text(String text) -> {
                out.putByte(6);
                out.putText(text);
            }
            case Value.Binary(Bytes bytes) -> {
                out.putByte(7);
                out.putBytes(bytes);
            }
            case Value.Items(List<Value> items) -> {
                out.putByte(8);
                out.putVarInt(items.size());
                items.forEach(item -> write(out, item));
            }
            case Value.Pairs(List<Value.Pair> pairs) -> {
                out.putByte(9);
                out.putVarInt(pairs.size());
                for (Value.Pair pair : pairs) {
                    write(out, pair.key());
                    write(out, pair.payload());
                }
            }
            case Value.Choice(int index, Value chosen) -> {
                out.putByte(10);
                out.putVarInt(index);
                write(out, chosen);
            }
            case Value.Just(Value item) -> {
                out.putByte(11);
                write(out, item);
            }
        }
    }

    static Value[] read(ByteReader in) {
        var row = new Value[in.getVarInt()];
        for (int index = 0; index < row.length; index++) {
            row[index] = value(in);
        }
        return row;
    }

    private static Value value(ByteReader in) {
        int kind = in.getByte();
        return switch (kind) {
            case 0 -> Value.Null.NULL;
            case 1, 2 -> Value.bool(kind == 2);
            case 3 -> {
                long zigzag = in.getVarLong();
                yield Value.of(zigzag >>> 1 ^ -(zigzag & 1));
            }
            case 4 -> Value.of(Double.longBitsToDouble(in.getLong()));
            case 5 -> {
                long high = in.getLong();
                yield new Value.Int128(high, in.getLong());
            }
            case 6 -> Value.text(in.getText());
            case 7 -> Value.binary(in.getBytes());
            case 8 -> {
                int count = in.getVarInt();
                List<Value> items = new ArrayList<>(count);
                for (int index = 0; index < count; index++) {
                    items.add(value(in));
                }
                yield Value.items(items);
            }
            case 9 -> {
                int count = in.getVarInt();
                List<Value.Pair> pairs = new ArrayList<>(count);
                for (int index = 0; index < count; index++) {
                    Value key = value(in);
                    pairs.add(new Value.Pair(key, value(in)));
                }
                yield new Value.Pairs(pairs);
            }
            case 10 -> {
                int index = in.getVarInt();
                yield new Value.Choice(index, value(in));
            }
            case 11 -> new Value.Just(value(in));
            default -> throw new IllegalStateException("no kind of value: " + kind);
        };
    }
}

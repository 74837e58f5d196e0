package io.cleave.yt.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonReader;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Random values through every format and back, and broken input: whatever the bytes are, reading
/// them ends, with values or with a [YtException]. `-Dinputs=` sets how many are tried.
class FormatFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int INPUTS = Integer.getInteger("inputs", 10_000);
    private static final long MAX_BYTES = 1 << 20;

    private static final DataFormat TYPED_JSON =
            DataFormat.parse("<annotate_with_types=%true;stringify_nan_and_infinity=%true>json");
    private static final DataFormat PRETTY_JSON =
            DataFormat.parse(
                    "<annotate_with_types=%true;stringify_nan_and_infinity=%true;format=pretty>json");
    private static final List<DataFormat> FORMATS =
            List.of(
                    DataFormat.YSON_BINARY,
                    DataFormat.YSON_TEXT,
                    DataFormat.YSON_PRETTY,
                    TYPED_JSON,
                    PRETTY_JSON);

    private final Random random = new Random(SEED);

    @Test
    void aValueSurvivesEveryFormat() {
        for (int round = 0; round < INPUTS / 5; round++) {
            YsonNode value = value(0);
            for (DataFormat format : FORMATS) {
                Bytes written = format.writeValue(value);
                assertThat(format.readValue(written))
                        .as("-Dseed=%d, round %d, %s, %s", SEED, round, format, written.utf8())
                        .isEqualTo(value);
            }
            for (YsonWriter.Format form : YsonWriter.Format.values()) {
                assertThat(YsonNode.parse(YsonWriter.write(value, form)))
                        .as("-Dseed=%d, round %d", SEED, round)
                        .contains(value);
            }
        }
    }

    /// The binary form that a row's field gets is that of the writer.
    @Test
    void rowsSurviveEveryFormat() {
        List<DataFormat> formats =
                List.of(
                        DataFormat.YSON_BINARY,
                        DataFormat.YSON_TEXT,
                        DataFormat.YSON_PRETTY,
                        TYPED_JSON);
        for (int round = 0; round < INPUTS / 20; round++) {
            List<YsonNode.Members> rows = rows();
            byte[] expected = write(rows, DataFormat.YSON_BINARY);
            for (DataFormat format : formats) {
                byte[] body = write(rows, format);
                String message =
                        "-Dseed=%d, round %d, %s, %s"
                                .formatted(SEED, round, format, Bytes.wrap(body).utf8());
                assertThat(copy(format.rows(body, CallMemory.unlimited())))
                        .as(message)
                        .isEqualTo(expected);
                assertThat(copy(narrow(format, body))).as(message).isEqualTo(expected);
            }
            // The rows are also what the reader of trees sees.
            List<YsonNode> read = YsonReader.readItems(Bytes.wrap(expected), Long.MAX_VALUE);
            assertThat(read).as("-Dseed=%d, round %d", SEED, round).isEqualTo(rows);
        }
    }

    @Test
    void brokenValuesEndWithAnError() {
        for (int round = 0; round < INPUTS; round++) {
            DataFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
            byte[] broken = broken(format.writeValue(value(0)).array());
            ends(
                    round,
                    broken,
                    () -> {
                        YsonNode value = format.readValue(Bytes.wrap(broken));
                        var _ = DataFormat.YSON_TEXT.writeValue(value);
                    });
            var _ = YsonNode.parse(Bytes.wrap(broken));
        }
    }

    @Test
    void brokenRowsEndWithAnError() {
        List<DataFormat> formats =
                List.of(
                        DataFormat.YSON_BINARY,
                        DataFormat.YSON_TEXT,
                        DataFormat.JSON,
                        TYPED_JSON,
                        DataFormat.parse("dsv"),
                        DataFormat.parse(
                                "<columns=[a;b];missing_value_mode=skip_row>schemaful_dsv"));
        for (int round = 0; round < INPUTS; round++) {
            DataFormat format = formats.get(random.nextInt(formats.size()));
            byte[] body;
            try {
                body = write(rows(), format);
            } catch (YtException _) {
                // The format has no form for these values.
                continue;
            }
            byte[] broken = broken(body);
            String whole =
                    ends(round, broken, () -> drain(format.rows(broken, CallMemory.unlimited())));
            String streamed = ends(round, broken, () -> drain(narrow(format, broken)));
            assertThat(streamed).as("-Dseed=%d, round %d", SEED, round).isEqualTo(whole);
        }
    }

    @Test
    void brokenBodiesEndWithAnError() throws IOException {
        List<String> codings = List.of("gzip", "deflate", "z-zstd_1", "z-zstd_3", "z-zstd_7");
        for (int round = 0; round < INPUTS; round++) {
            ContentCoding coding =
                    ContentCoding.find(codings.get(random.nextInt(codings.size()))).orElseThrow();
            var encoded = new ByteArrayOutputStream();
            try (var stream = coding.encode(encoded)) {
                stream.write(write(rows(), DataFormat.YSON_TEXT));
            }
            byte[] broken = broken(encoded.toByteArray());
            ends(
                    round,
                    broken,
                    () -> {
                        try (var body =
                                coding.decode(
                                        new ByteArrayInputStream(broken),
                                        MAX_BYTES,
                                        CallMemory.unlimited())) {
                            drain(
                                    DataFormat.YSON_BINARY.rows(
                                            body, broken.length, CallMemory.unlimited()));
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
        }
    }

    /// The rows of a body of which only a few bytes are in memory at first.
    private RowInput narrow(DataFormat format, byte[] body) {
        var window =
                new RowWindow(
                        new ByteArrayInputStream(body),
                        1 + random.nextInt(16),
                        CallMemory.unlimited());
        return switch (format) {
            case YsonFormat _ -> new YsonRowInput(window);
            case JsonFormat json -> new JsonRowInput(json, window);
            case DsvFormat dsv -> new DsvRowInput(dsv.symbols(), window);
            case SchemafulDsvFormat dsv -> new SchemafulDsvRowInput(dsv, window);
        };
    }

    private interface Reading {
        void run();
    }

    /// Runs the reading. Returns the message of the error that ended it.
    private String ends(int round, byte[] input, Reading reading) {
        try {
            reading.run();
            return "";
        } catch (YtException e) {
            assertThat(e.error().code()).isIn(YtCodes.GENERIC, YtCodes.TOO_MANY_VALUES_IN_ROW);
            return e.error().message();
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    "-Dseed=%d, round %d: %s".formatted(SEED, round, Bytes.wrap(input).hex()), e);
        }
    }

    private static void drain(RowInput rows) {
        while (rows.next()) {
            for (int field = 0; field < rows.fieldCount(); field++) {
                var _ = rows.names().name(rows.column(field));
                var _ = RowCopies.show(rows, field);
                if (rows.type(field) == WireType.ANY) {
                    var _ = YsonReader.read(rows.bytes(field));
                }
            }
        }
    }

    private byte[] copy(RowInput rows) {
        var target = new ByteArrayOutputStream();
        EncodedRowOutput out = DataFormat.YSON_BINARY.rowOutput(target);
        out.columns(List.of(Bytes.utf8("a"), Bytes.utf8("b"), Bytes.utf8("$c d")));
        RowCopies.copy(rows, out, List.of("a", "b", "$c d"));
        out.finish();
        return target.toByteArray();
    }

    private byte[] write(List<YsonNode.Members> rows, DataFormat format) {
        var target = new ByteArrayOutputStream();
        EncodedRowOutput out = format.rowOutput(target);
        List<String> names = List.of("a", "b", "$c d");
        out.columns(names.stream().map(Bytes::utf8).toList());
        for (YsonNode.Members row : rows) {
            out.beginRow();
            row.members()
                    .forEach((name, value) -> writeField(out, names.indexOf(name.utf8()), value));
            out.endRow();
        }
        out.finish();
        return target.toByteArray();
    }

    private static void writeField(RowOutput out, int column, YsonNode value) {
        switch (value) {
            case YsonNode.Entity _ -> out.nullField(column);
            case YsonNode.Bool(boolean flag) -> out.booleanField(column, flag);
            case YsonNode.Int64(long number) -> out.intField(column, number);
            case YsonNode.Uint64(long number) -> out.uintField(column, number);
            case YsonNode.Real(double number) -> out.doubleField(column, number);
            case YsonNode.Text(Bytes text) -> out.stringField(column, text);
            case YsonNode.Items _, YsonNode.Members _, YsonNode.Attributed _ ->
                    out.anyField(
                            column,
                            YsonWriter.write(
                                    value, YsonWriter.Format.BINARY, YsonWriter.Dialect.YT));
        }
    }

    private List<YsonNode.Members> rows() {
        var rows = new ArrayList<YsonNode.Members>();
        int count = random.nextInt(5);
        for (int row = 0; row < count; row++) {
            var fields = YsonNode.map();
            for (String name : List.of("a", "b", "$c d")) {
                if (random.nextInt(4) > 0) {
                    fields.with(name, value(4).bare());
                }
            }
            rows.add(fields.build());
        }
        return rows;
    }

    private YsonNode value(int depth) {
        int kind = random.nextInt(depth > 6 ? 6 : 9);
        return switch (kind) {
            case 0 -> YsonNode.entity();
            case 1 -> YsonNode.bool(random.nextBoolean());
            case 2 -> YsonNode.of(number());
            case 3 -> YsonNode.uint(number());
            case 4 -> YsonNode.real(real());
            case 5 -> YsonNode.text(text());
            case 6 -> {
                var items = new ArrayList<YsonNode>();
                for (int count = random.nextInt(4); count > 0; count--) {
                    items.add(value(depth + 1));
                }
                yield YsonNode.list(items);
            }
            case 7 -> members(depth, random.nextInt(4));
            default -> value(depth + 1).withAttributes(members(depth, 1 + random.nextInt(2)));
        };
    }

    private YsonNode.Members members(int depth, int count) {
        var members = YsonNode.map();
        for (int index = 0; index < count; index++) {
            members.with(text(), value(depth + 1));
        }
        return members.build();
    }

    private long number() {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextLong();
            case 1 -> Long.MIN_VALUE;
            case 2 -> Long.MAX_VALUE;
            default -> random.nextInt(-200, 200);
        };
    }

    private double real() {
        return switch (random.nextInt(7)) {
            case 0 -> Double.NaN;
            case 1 -> Double.POSITIVE_INFINITY;
            case 2 -> Double.NEGATIVE_INFINITY;
            case 3 -> -0.0;
            case 4 -> {
                double any = Double.longBitsToDouble(random.nextLong());
                yield Double.isNaN(any) ? 1 : any;
            }
            case 5 -> random.nextInt(1000);
            default -> random.nextGaussian();
        };
    }

    private Bytes text() {
        byte[] text = new byte[random.nextInt(6)];
        for (int index = 0; index < text.length; index++) {
            text[index] =
                    (byte)
                            switch (random.nextInt(4)) {
                                case 0 -> random.nextInt(256);
                                case 1 -> "\"\\\n\t$0789afxu;=#%".charAt(random.nextInt(17));
                                default -> random.nextInt('a', 'z');
                            };
        }
        return Bytes.wrap(text);
    }

    /// Up to three changes: bytes are changed, taken away, repeated or moved, or the end is cut
    /// off.
    private byte[] broken(byte[] input) {
        byte[] data = input;
        for (int change = random.nextInt(3); change >= 0; change--) {
            data = broken(data, random.nextInt(data.length + 1), random.nextInt(data.length + 1));
        }
        return data;
    }

    private byte[] broken(byte[] data, int one, int other) {
        int from = Math.min(one, other);
        int to = Math.min(Math.max(one, other), from + 16);
        return switch (random.nextInt(6)) {
            case 0 -> Arrays.copyOf(data, from);
            case 1 -> join(Arrays.copyOf(data, from), Arrays.copyOfRange(data, to, data.length));
            case 2 -> join(Arrays.copyOf(data, to), Arrays.copyOfRange(data, from, data.length));
            case 3 -> {
                byte[] some = new byte[1 + random.nextInt(4)];
                random.nextBytes(some);
                yield join(
                        join(Arrays.copyOf(data, from), some),
                        Arrays.copyOfRange(data, from, data.length));
            }
            default -> {
                byte[] changed = data.clone();
                if (from < changed.length) {
                    byte[] symbols = "{}[]<>=;#\"%\\\u0001\u0002\u0003\u0006".getBytes();
                    changed[from] =
                            random.nextBoolean()
                                    ? (byte) random.nextInt(256)
                                    : symbols[random.nextInt(symbols.length)];
                }
                yield changed;
            }
        };
    }

    private static byte[] join(byte[] head, byte[] tail) {
        byte[] all = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, all, head.length, tail.length);
        return all;
    }
}

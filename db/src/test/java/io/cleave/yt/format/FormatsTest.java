package io.cleave.yt.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.testkit.DataDriven;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The texts in `testdata/formats`: values and rows from one format to another. A line that begins
/// with `hex:` has bytes. Bytes of output that are not printable are shown as `\xHH`.
class FormatsTest {
    @TestFactory
    Stream<DynamicTest> texts() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/formats"), FormatsTest::answer);
    }

    private static String answer(DataDriven.Command command) {
        return switch (command.name()) {
            case "value" ->
                    command.input().stream()
                            .map(line -> value(command, line))
                            .collect(Collectors.joining("\n"));
            case "rows" -> rows(command);
            case "missing" -> missing(command);
            case "accept" ->
                    command.input().stream()
                            .map(line -> line + " => " + ContentCoding.choose(line).name())
                            .collect(Collectors.joining("\n"));
            default -> throw new IllegalArgumentException(command.name());
        };
    }

    private static String value(DataDriven.Command command, String line) {
        try {
            DataFormat in = DataFormat.parse(command.args().getOrDefault("in", "yson"));
            DataFormat out = DataFormat.parse(command.args().get("out"));
            return show(out.writeValue(in.readValue(Bytes.wrap(bytes(line)))).array()).strip();
        } catch (YtException e) {
            return error(e);
        }
    }

    /// Reads the rows, and writes them. What was written before an error is shown.
    private static String rows(DataDriven.Command command) {
        var written = new ByteArrayOutputStream();
        try {
            DataFormat in = DataFormat.parse(command.args().getOrDefault("in", "yson"));
            byte[] body = bytes(String.join("\n", command.input()));
            RowInput rows =
                    in.rows(new ByteArrayInputStream(body), body.length, CallMemory.unlimited());
            if (!command.args().containsKey("out")) {
                return fields(rows);
            }
            EncodedRowOutput out = DataFormat.parse(command.args().get("out")).rowOutput(written);
            out.columns(List.of(Bytes.utf8("k"), Bytes.utf8("v"), Bytes.utf8("$w")));
            try {
                RowCopies.copy(rows, out, List.of("k", "v", "$w"));
            } finally {
                out.finish();
            }
            return show(written.toByteArray());
        } catch (YtException e) {
            return (show(written.toByteArray()).strip() + "\n" + error(e)).strip();
        }
    }

    private static String fields(RowInput rows) {
        var text = new StringBuilder();
        try {
            while (rows.next()) {
                for (int field = 0; field < rows.fieldCount(); field++) {
                    text.append(field > 0 ? " " : "")
                            .append(show(rows.names().name(rows.column(field)).array()))
                            .append(':')
                            .append(RowCopies.show(rows, field));
                }
                text.append('.').append('\n');
            }
        } catch (YtException e) {
            text.append(error(e));
        }
        return text.toString();
    }

    /// A row with attributes, an empty row, and a missing row.
    private static String missing(DataDriven.Command command) {
        var written = new ByteArrayOutputStream();
        try {
            EncodedRowOutput out = DataFormat.parse(command.args().get("out")).rowOutput(written);
            out.columns(List.of(Bytes.utf8("k")));
            out.beginRow(YsonNode.map().withUint("t", 5).build());
            out.intField(0, 1);
            out.endRow();
            out.beginRow();
            out.endRow();
            out.missingRow();
            out.finish();
            return show(written.toByteArray());
        } catch (YtException e) {
            return error(e);
        }
    }

    private static String error(YtException e) {
        return "error %d: %s".formatted(e.error().code(), e.error().message());
    }

    private static byte[] bytes(String line) {
        return line.startsWith("hex:")
                ? HexFormat.of().parseHex(line.substring("hex:".length()).replace(" ", ""))
                : line.getBytes(StandardCharsets.UTF_8);
    }

    static String show(byte[] data) {
        var text = new StringBuilder();
        for (byte b : data) {
            if (b == '\n' || (b >= ' ' && b < 0x7F)) {
                text.append((char) b);
            } else {
                text.append("\\x%02X".formatted(b & 0xFF));
            }
        }
        return text.toString();
    }

    @Test
    void aRowIsReadAlsoIfItIsLargerThanTheFirstWindow() {
        String large = "x".repeat(300_000);
        String body = "{a=%s;b=1};{a=y;b=2};".formatted(large).repeat(3);
        RowInput rows =
                DataFormat.YSON_BINARY.rows(
                        new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                        body.length(),
                        CallMemory.unlimited());
        for (int count = 0; count < 3; count++) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.bytes(0)).isEqualTo(Bytes.utf8(large));
            assertThat(rows.bits(1)).isEqualTo(1);
            assertThat(rows.next()).isTrue();
            assertThat(rows.bytes(0)).isEqualTo(Bytes.utf8("y"));
        }
        assertThat(rows.next()).isFalse();
        assertThat(rows.names().count()).isEqualTo(2);
    }

    @Test
    void aBlockHasWholeRows() {
        var blocks = new ArrayList<Integer>();
        var sink =
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public void write(byte[] data, int offset, int length) {
                        assertThat((char) data[offset]).isEqualTo('{');
                        assertThat((char) data[offset + length - 1]).isEqualTo(';');
                        blocks.add(length);
                    }
                };
        EncodedRowOutput out = DataFormat.YSON_BINARY.rowOutput(sink);
        out.columns(List.of(Bytes.utf8("k")));
        for (int row = 0; row < 10_000; row++) {
            out.beginRow();
            out.intField(0, row);
            out.endRow();
        }
        out.finish();
        assertThat(blocks).hasSizeGreaterThan(2);
        assertThat(blocks.getFirst()).isBetween(32 << 10, 33 << 10);
    }
}

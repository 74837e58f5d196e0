package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.SystemEnv;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Cancellation;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.Results;
import io.cleave.query.Texts;
import io.cleave.query.TxControl;
import io.cleave.value.Value;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Data folders as a node of each format has left them: three cells, two tables, an index, table
/// files, and transactions over several cells. One of each format was closed, and one was killed.
/// Nodes of today open a copy, answer with the same rows, write to it, and open it again. A
/// compaction leaves no file of an older format.
///
/// `-Dgolden=write` makes those of the present format anew. Zeroes that a log keeps ahead of its
/// records are left out of what was killed.
class GoldenNodeTest {
    private static final Path GOLDEN = Path.of("src/test/testdata/golden");
    private static final int FORMAT = 3;
    private static final int TABLE_FILE_FORMAT = 2;

    /// The number of the format, a checksum, and a magic number end a table file.
    private static final int FORMAT_FROM_END = 4 + 4 + 8;

    private static final int CELLS = 3;
    private static final List<String> TABLES = List.of("/local/t", "/local/notes");
    private static final String[] SELECTS = {
        "SELECT k, a, b FROM t ORDER BY k",
        "SELECT a, k FROM t VIEW by_a ORDER BY a, k",
        "SELECT id, text FROM notes ORDER BY id"
    };

    @TempDir private Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"2-closed", "2-killed", "3-closed", "3-killed"})
    void itsRowsAreReadAndMoreAreWritten(String name) throws Exception {
        if (System.getProperty("golden", "").equals("write") && name.equals(FORMAT + "-closed")) {
            write();
        }
        Path data = temp.resolve("data");
        FolderCopy.copy(GOLDEN.resolve("format-" + name), data);
        assertThat(Fsck.run(data, Map.of()).isClean()).isTrue();
        String rows;
        try (Node node = start(data)) {
            rows = rows(node);
            assertThat(rows).isEqualTo(Files.readString(rowsOf(name)));
            run(node, "UPSERT INTO notes (id, text) VALUES ('zz', 'of today')");
            for (String table : TABLES) {
                node.store().tablets().compact(table);
            }
            assertThat(rows(node)).isEqualTo(rows + "zz|of today\n");
        }
        try (Node node = start(data)) {
            assertThat(rows(node)).isEqualTo(rows + "zz|of today\n");
        }
        assertThat(tableFileFormats(data)).containsOnly(TABLE_FILE_FORMAT);
        assertThat(Fsck.run(data, Map.of()).text()).endsWith("clean\n");
    }

    /// The formats of the tables' files, from their footers: see docs/formats.
    private static List<Integer> tableFileFormats(Path data) throws IOException {
        List<Integer> formats = new ArrayList<>();
        try (Stream<Path> files = Files.list(data.resolve("blobs"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".blob")).toList()) {
                ByteBuffer bytes =
                        ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
                formats.add(bytes.getInt(bytes.limit() - FORMAT_FROM_END));
            }
        }
        return formats;
    }

    private static Path rowsOf(String name) {
        return GOLDEN.resolve("format-" + name + "-rows.txt");
    }

    private static Node start(Path data) throws StartException {
        return Node.start(NodeOptions.inFolder(data).withUserCells(CELLS));
    }

    private void write() throws Exception {
        Path data = temp.resolve("made");
        Path killed = folderOf("killed");
        Path closed = folderOf("closed");
        FolderCopy.delete(killed);
        FolderCopy.delete(closed);
        String rows;
        try (Node node = start(data)) {
            run(
                    node,
                    "CREATE TABLE t (k Uint64, a Int32, b Utf8, PRIMARY KEY (k),"
                            + " INDEX by_a GLOBAL ON (a)) WITH (UNIFORM_PARTITIONS = 6)");
            run(node, "CREATE TABLE notes (id String, text String, PRIMARY KEY (id))");
            insert(node, 0, 40);
            run(node, "UPSERT INTO notes (id, text) VALUES ('a', 'first'), ('b', 'second')");
            node.store().tablets().compact("/local/t");
            insert(node, 30, 60);
            run(node, "DELETE FROM t WHERE a = 3");
            run(node, "UPSERT INTO notes (id, text) VALUES ('b', 'changed')");
            // A coordinator forgets transactions and an idle log ends its segment by then.
            Thread.sleep(1_000);
            rows = rows(node);
            FolderCopy.copy(data, killed);
        }
        FolderCopy.copy(data, closed);
        for (Path folder : new Path[] {killed, closed}) {
            Files.deleteIfExists(folder.resolve("LOCK"));
            cutZeroes(folder);
        }
        Files.writeString(rowsOf(FORMAT + "-killed"), rows);
        Files.writeString(rowsOf(FORMAT + "-closed"), rows);
    }

    private static Path folderOf(String how) {
        return GOLDEN.resolve("format-" + FORMAT + "-" + how);
    }

    /// Each statement is one transaction, over all cells.
    private static void insert(Node node, long from, long to) {
        var values = new StringBuilder();
        for (long number = from; number < to; number++) {
            values.append(values.isEmpty() ? "" : ", ")
                    .append(
                            "(%sul, %d, 'text %d of %d'u)"
                                    .formatted(
                                            Long.toUnsignedString(number * 0x0400_0000_0000_0001L),
                                            number % 10,
                                            number,
                                            to));
        }
        run(node, "UPSERT INTO t (k, a, b) VALUES " + values);
    }

    private static void cutZeroes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".log")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                int end = bytes.length;
                while (end > 0 && bytes[end - 1] == 0) {
                    end--;
                }
                Files.write(file, Arrays.copyOf(bytes, Math.min(bytes.length, end + 64)));
            }
        }
    }

    private static String rows(Node node) {
        var text = new StringBuilder();
        for (String select : SELECTS) {
            text.append(run(node, select));
        }
        return text.toString();
    }

    static String run(Node node, String yql) {
        var text = new StringBuilder();
        Texts.runAlone(
                node.frontDoor(),
                QueryText.ofQueryService(yql, Map.of()),
                new QueryRun(
                        TxControl.IMPLICIT,
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(new SystemEnv())),
                new Results() {
                    @Override
                    public void transaction(String txId) {}

                    @Override
                    public void begin(int resultIndex, ResultShape shape) {}

                    @Override
                    public void row(int resultIndex, Value[] row) {
                        for (int column = 0; column < row.length; column++) {
                            text.append(column == 0 ? "" : "|").append(shown(row[column]));
                        }
                        text.append('\n');
                    }

                    @Override
                    public void end(int resultIndex, boolean truncated) {}
                });
        return text.toString();
    }

    private static String shown(Value value) {
        return switch (value) {
            case Value.Int(long number) -> Long.toUnsignedString(number);
            case Value.Text(String text) -> text;
            case Value.Binary(Bytes bytes) -> bytes.utf8();
            default -> value.toString();
        };
    }
}

package io.cleave.yt.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.TestStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The limits on the sizes of keys, values and rows.
class RowSizesTest {
    private static final int LONGEST_KEY = 1 << 20;
    private static final int LONGEST_STRING = 16 << 20;

    private final RowBench bench = new RowBench(new TestStore(1));

    @BeforeEach
    void createTable() {
        bench.yql("CREATE TABLE t (k String, v String, w Utf8, PRIMARY KEY (k))");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private String insert(String row) {
        return bench.run("insert_rows", "{path=\"//t\"}", row);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\\0"})
    void aKeyHasOneMegabyteAtMost(String letter) {
        assertThat(insert("{k=\"%s\"}".formatted(letter.repeat(LONGEST_KEY)))).isEqualTo("{}");
        String key = "{k=\"%s\"}".formatted(letter.repeat(LONGEST_KEY + 1));
        String refused =
                "Row key size of 1048577 bytes is larger than the allowed threshold 1048576";
        assertThat(insert(key)).isEqualTo("error 1: " + refused);
        assertThat(bench.run("delete_rows", "{path=\"//t\"}", key)).endsWith(refused);
        assertThat(bench.run("lookup_rows", "{path=\"//t\"}", key)).endsWith(refused);
        assertThat(bench.yql("SELECT COUNT(*) FROM t")).isEqualTo("1");
    }

    @Test
    void theLongestKeyThatTheWireAllowsIsRefused() {
        String key = "{k=\"%s\"}".formatted("\\0".repeat(LONGEST_STRING));
        assertThat(insert(key)).startsWith("error 1: Row key size of 16777216 bytes");
        assertThat(insert("{k=a}")).isEqualTo("{}");
    }

    @Test
    void aStringHasSixteenMegabytesAtMost() {
        for (String column : new String[] {"v", "w"}) {
            assertThat(insert("{k=a;%s=\"%s\"}".formatted(column, "x".repeat(LONGEST_STRING))))
                    .isEqualTo("{}");
            assertThat(insert("{k=a;%s=\"%s\"}".formatted(column, "x".repeat(LONGEST_STRING + 1))))
                    .isEqualTo(
                            "error 326: Value of type \"string\" is too long for dynamic data:"
                                    + " length 16777217, limit 16777216");
        }
    }

    /// Texts count as strings do.
    @ParameterizedTest
    @ValueSource(strings = {"String", "Utf8"})
    void aRowHas128MegabytesAtMost(String type) {
        StringBuilder columns = new StringBuilder();
        StringBuilder row = new StringBuilder("{k=a");
        for (int column = 0; column < 9; column++) {
            columns.append(", v").append(column).append(' ').append(type);
            row.append(";v%d=\"".formatted(column)).append("x".repeat(15 << 20)).append('"');
        }
        bench.yql("CREATE TABLE wide (k String%s, PRIMARY KEY (k))".formatted(columns));
        assertThat(bench.run("insert_rows", "{path=\"//wide\"}", row + "}"))
                .startsWith("error 1: Row weight is too large: actual 1415577")
                .endsWith("limit 134217728");
    }
}

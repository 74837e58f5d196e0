package io.cleave.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.lsm.row.Fields;
import io.cleave.lsm.row.FieldsTest;
import io.cleave.lsm.row.FieldsWriter;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class BlockTest {
    /// `key@timestamp`, by key and newest first. The field is the text itself.
    private static final List<String> VERSIONS =
            List.of(
                    "@4",
                    "@2",
                    "a@1",
                    "aa@9",
                    "aa@8",
                    "aa@7",
                    "aa@6",
                    "aa@5",
                    "ab@1",
                    "abcdef@3",
                    "abcdeg@3",
                    "abcdeg@1",
                    "b@2",
                    "zzz@7",
                    "zzz@6");

    private final KeyCursor cursor = new KeyCursor();

    @Test
    void entriesReadBackWhateverTheRestartPoints() {
        for (int restartKeys = 1; restartKeys < 10; restartKeys++) {
            KeyBlock block = open(restartKeys);
            List<String> found = new ArrayList<>();
            for (boolean any = cursor.first(); any; any = cursor.next()) {
                found.add(entry(block));
            }
            assertThat(found).isEqualTo(VERSIONS);
        }
    }

    @Test
    void aSearchFindsTheNewestVersionOfTheFirstKeyThatIsNotBefore() {
        for (int restartKeys = 1; restartKeys < 10; restartKeys++) {
            KeyBlock block = open(restartKeys);
            assertThat(seek(block, "")).isEqualTo("@4");
            assertThat(seek(block, "a")).isEqualTo("a@1");
            assertThat(seek(block, "a0")).isEqualTo("aa@9");
            assertThat(seek(block, "aa")).isEqualTo("aa@9");
            assertThat(seek(block, "abcdeg")).isEqualTo("abcdeg@3");
            assertThat(seek(block, "c")).isEqualTo("zzz@7");
            assertThat(seek(block, "zzz")).isEqualTo("zzz@7");
            assertThat(seek(block, "zzzz")).isEqualTo("none");
        }
    }

    @Test
    void aSearchForOneKeyFindsItOrNothing() {
        for (int restartKeys = 1; restartKeys < 10; restartKeys++) {
            KeyBlock block = open(restartKeys);
            String before = "none";
            for (int row = 0; row < VERSIONS.size(); row++) {
                String key = VERSIONS.get(row).substring(0, VERSIONS.get(row).indexOf('@'));
                if (!key.equals(before)) {
                    assertThat(find(block, key)).isEqualTo(row);
                }
                before = key;
            }
            for (String absent : List.of("0", "a0", "aaa", "ac", "abc", "abcdee", "abcdefg", "c")) {
                assertThat(find(block, absent)).as(absent).isEqualTo(-1);
            }
            assertThat(find(block, "zzzz")).isEqualTo(-1);
            assertThat(find(block, "zz")).isEqualTo(-1);
        }
    }

    @Test
    void goingBackFindsTheNewestVersionOfEachKey() {
        for (int restartKeys = 1; restartKeys < 10; restartKeys++) {
            KeyBlock block = open(restartKeys);
            List<String> found = new ArrayList<>();
            boolean any = cursor.lastKeyBefore(cursor.entriesTo());
            while (any) {
                found.add(entry(block));
                any = cursor.lastKeyBefore(cursor.entryFrom());
            }
            assertThat(found)
                    .containsExactly(
                            "zzz@7", "b@2", "abcdeg@3", "abcdef@3", "ab@1", "aa@9", "a@1", "@4");
        }
    }

    @Test
    void lookingAheadLeavesTheKeyAlone() {
        KeyBlock block = open(3);
        assertThat(cursor.seek(Bytes.utf8("aa"))).isTrue();
        int older = 0;
        while (cursor.nextIsSameKey()) {
            assertThat(cursor.next()).isTrue();
            older++;
        }
        assertThat(older).isEqualTo(4);
        assertThat(entry(block)).isEqualTo("aa@5");
    }

    private KeyBlock open(int restartKeys) {
        var keys = new KeyBlockWriter(restartKeys, 64);
        var fields = new FieldsWriter(64);
        String before = null;
        for (String version : VERSIONS) {
            String key = version.substring(0, version.indexOf('@'));
            long timestamp = Long.parseLong(version.substring(key.length() + 1));
            byte[] bytes = Bytes.utf8(key).array();
            int common = before == null ? 0 : commonOf(before, key);
            keys.add(
                    bytes,
                    bytes.length,
                    common,
                    key.equals(before),
                    timestamp,
                    RowChange.Kind.REPLACE);
            fields.add(FieldsTest.row("7=" + version), null, 0);
            before = key;
        }
        assertThat(keys.keys()).isEqualTo(8);
        var out = new ByteWriter(64);
        keys.finish(out, fields);
        var block = new KeyBlock(out.toArray(), true, Fields.Shapes.NONE);
        cursor.open(block);
        return block;
    }

    private static int commonOf(String before, String key) {
        byte[] a = Bytes.utf8(before).array();
        byte[] b = Bytes.utf8(key).array();
        return Keys.common(a, a.length, b, b.length);
    }

    private String seek(KeyBlock block, String key) {
        return cursor.seek(Bytes.utf8(key)) ? entry(block) : "none";
    }

    /// The row of the key's newest version; -1 if there is none.
    private static int find(KeyBlock block, String key) {
        byte[] bytes = Bytes.utf8(key).array();
        return (int) (block.find(bytes, bytes.length) >> Integer.SIZE);
    }

    private String entry(KeyBlock block) {
        String key = Bytes.copyOf(cursor.key, 0, cursor.keyBytes).utf8();
        String version = key + "@" + cursor.timestamp;
        var row = new Row(Projection.ALL);
        Fields fields = block.fields;
        assertThat(fields).isNotNull();
        fields.read(cursor.row, row);
        assertThat(FieldsTest.text(row)).isEqualTo("7=" + version);
        return version;
    }
}

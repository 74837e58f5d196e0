package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class BlockTest {
    /// `key@timestamp`, by key and newest first.
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

    @Test
    void entriesReadBackWhateverTheRestartPoints() {
        for (int restartKeys = 1; restartKeys < 10; restartKeys++) {
            var reader = open(restartKeys);
            List<String> found = new ArrayList<>();
            for (boolean any = reader.first(); any; any = reader.next()) {
                found.add(entry(reader));
            }
            assertThat(found).isEqualTo(VERSIONS);
        }
    }

    @Test
    void aSearchFindsTheNewestVersionOfTheFirstKeyThatIsNotBefore() {
        for (int restartKeys = 1; restartKeys < 10; restartKeys++) {
            var reader = open(restartKeys);
            assertThat(seek(reader, "")).isEqualTo("@4");
            assertThat(seek(reader, "a")).isEqualTo("a@1");
            assertThat(seek(reader, "a0")).isEqualTo("aa@9");
            assertThat(seek(reader, "aa")).isEqualTo("aa@9");
            assertThat(seek(reader, "abcdeg")).isEqualTo("abcdeg@3");
            assertThat(seek(reader, "c")).isEqualTo("zzz@7");
            assertThat(seek(reader, "zzz")).isEqualTo("zzz@7");
            assertThat(seek(reader, "zzzz")).isEqualTo("none");
        }
    }

    @Test
    void goingBackFindsTheNewestVersionOfEachKey() {
        for (int restartKeys = 1; restartKeys < 10; restartKeys++) {
            var reader = open(restartKeys);
            List<String> found = new ArrayList<>();
            boolean any = reader.lastKeyBefore(reader.entriesTo());
            while (any) {
                found.add(entry(reader));
                any = reader.lastKeyBefore(reader.entryFrom());
            }
            assertThat(found)
                    .containsExactly(
                            "zzz@7", "b@2", "abcdeg@3", "abcdef@3", "ab@1", "aa@9", "a@1", "@4");
        }
    }

    @Test
    void lookingAheadLeavesTheKeyAlone() {
        var reader = open(3);
        assertThat(reader.seek(Bytes.utf8("aa"))).isTrue();
        int older = 0;
        while (reader.nextIsSameKey()) {
            assertThat(reader.next()).isTrue();
            older++;
        }
        assertThat(older).isEqualTo(4);
        assertThat(entry(reader)).isEqualTo("aa@5");
    }

    private static BlockReader open(int restartKeys) {
        var writer = new BlockWriter(restartKeys, 64);
        String before = null;
        for (String version : VERSIONS) {
            Entry entry = entryOf(version);
            String key = version.substring(0, version.indexOf('@'));
            writer.add(entry, key.equals(before));
            before = key;
        }
        assertThat(writer.keyCount()).isEqualTo(8);
        Output raw = writer.finish();
        var reader = new BlockReader();
        reader.open(Arrays.copyOf(raw.array(), raw.length()));
        return reader;
    }

    /// Its change is the text itself.
    static Entry entryOf(String version) {
        int at = version.indexOf('@');
        var entry = new Entry();
        entry.key = Bytes.utf8(version.substring(0, at)).array();
        entry.keyBytes = entry.key.length;
        entry.timestamp = Long.parseLong(version.substring(at + 1));
        entry.change = Bytes.utf8(version).array();
        entry.to = entry.change.length;
        return entry;
    }

    private static String seek(BlockReader reader, String key) {
        return reader.seek(Bytes.utf8(key)) ? entry(reader) : "none";
    }

    private static String entry(BlockReader reader) {
        String key = Bytes.copyOf(reader.key, 0, reader.keyBytes).utf8();
        String version = key + "@" + reader.timestamp;
        Bytes change = Bytes.copyOf(reader.block(), reader.changeFrom, reader.changeTo);
        assertThat(change.utf8()).isEqualTo(version);
        return version;
    }
}

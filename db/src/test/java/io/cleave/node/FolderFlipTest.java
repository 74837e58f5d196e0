package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Changes each bit of the small files that make a folder a data folder or a medium. The start is
/// refused with the name of a file or folder, or nothing that was in the folder has changed. What
/// is in logs and table files: see `ByteFlipTest`.
class FolderFlipTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/data-3");
    private static final List<String> FILES = List.of("FORMAT", "MEDIA", "hdd/MEDIUM");

    @TempDir private Path temp;
    private Path data;

    @BeforeEach
    void makeFolder() throws Exception {
        data = temp.resolve("data");
        FolderCopy.copy(GOLDEN, data);
        FolderCopy.addMedium(data);
    }

    @Test
    void aFlippedBitIsRefusedOrHarmless() throws Exception {
        Map<Path, byte[]> rows = rows();
        int refused = 0;
        for (String name : FILES) {
            Path file = data.resolve(name);
            byte[] whole = Files.readAllBytes(file);
            for (int bit = 0; bit < whole.length * 8; bit++) {
                byte[] flipped = whole.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                Files.write(file, flipped);
                String when = "bit %d of byte %d of %s".formatted(bit % 8, bit / 8, name);
                try {
                    DataFolder.open(data, Map.of("hdd", data.resolve("hdd"))).close();
                } catch (StartException e) {
                    refused++;
                    assertThat(e).as(when).hasMessageContaining(data.toString());
                }
                assertThat(rows()).as(when).containsExactlyEntriesOf(rows);
                restore(whole, file);
            }
        }
        assertThat(refused).isGreaterThan(500);
    }

    /// A start writes them anew.
    private void restore(byte[] whole, Path file) throws Exception {
        FolderCopy.addMedium(data);
        Files.writeString(data.resolve("FORMAT"), "3\n");
        assertThat(file).hasBinaryContent(whole);
    }

    /// What is in logs and table files.
    private Map<Path, byte[]> rows() throws Exception {
        Map<Path, byte[]> found = new TreeMap<>();
        try (var files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (file.toString().endsWith(".log") || file.toString().endsWith(".blob")) {
                    found.put(file, Files.readAllBytes(file));
                }
            }
        }
        return found;
    }
}

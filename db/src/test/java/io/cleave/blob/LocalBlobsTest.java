package io.cleave.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class LocalBlobsTest extends BlobStoreContract {
    @TempDir Path dir;

    @Override
    protected BlobStore reopen() {
        return new LocalBlobs(dir);
    }

    @Test
    void leftoversOfACrashAreRemoved() throws IOException {
        BlobWriter crashed = reopen().create();
        crashed.write(utf8("half"));
        assertThat(dir.resolve("0000000000000001.unsealed")).exists();

        reopen();

        try (var files = Files.list(dir)) {
            assertThat(files.map(f -> f.getFileName().toString())).containsExactly("next-id");
        }
    }

    @Test
    void aWriterThatIsClosedUnsealedLeavesNothing() {
        BlobStore store = reopen();
        store.create().close();
        assertThat(dir.resolve("0000000000000001.unsealed")).doesNotExist();
        assertThat(store.list()).isEmpty();
    }

    @Test
    void blobsWithoutTheirNumberAreRefused() throws IOException {
        sealed(reopen(), "x");
        Files.delete(dir.resolve("next-id"));
        assertThatThrownBy(this::reopen)
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("next-id");
    }

    @Test
    void aNumberThatIsTooLowIsRefused() throws IOException {
        long id = sealed(reopen(), "x");
        Files.writeString(dir.resolve("next-id"), BlobIds.text(id));
        assertThatThrownBy(this::reopen)
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("there is blob " + id);
    }

    @Test
    void aNumberWithoutItsChecksumIsRefused() throws IOException {
        sealed(reopen(), "x");
        for (String text : List.of("", "2x", "257\n", "258 " + BlobIds.text(257).substring(4))) {
            Files.writeString(dir.resolve("next-id"), text);
            assertThatThrownBy(this::reopen)
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining("next-id");
        }
    }

    @Test
    void filesOfOthersAreLeftAlone() throws IOException {
        long id = sealed(reopen(), "x");
        Files.createDirectory(dir.resolve("lost+found"));
        for (String name : List.of("notes.txt", "x.blob", "2.blob", "x.unsealed", ".hidden")) {
            Files.writeString(dir.resolve(name), "mine");
        }
        Files.writeString(dir.resolve("ffffffffffffffff.blob"), "no id is negative");

        assertThat(reopen().list()).containsExactly(id);

        for (String name : List.of("notes.txt", "x.blob", "2.blob", "x.unsealed", ".hidden")) {
            assertThat(dir.resolve(name)).exists();
        }
        assertThat(dir.resolve("ffffffffffffffff.blob")).exists();
    }
}

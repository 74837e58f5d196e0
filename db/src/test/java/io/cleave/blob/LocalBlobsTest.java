package io.cleave.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class LocalBlobsTest extends BlobStoreContract {
    @TempDir Path dir;

    @Override
    BlobStore reopen() {
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
        Files.writeString(dir.resolve("next-id"), id + "\n");
        assertThatThrownBy(this::reopen).isInstanceOf(CorruptionException.class);
    }

    @Test
    void aNumberThatIsNoneIsRefused() throws IOException {
        sealed(reopen(), "x");
        Files.writeString(dir.resolve("next-id"), "2x");
        assertThatThrownBy(this::reopen).isInstanceOf(CorruptionException.class);
    }
}

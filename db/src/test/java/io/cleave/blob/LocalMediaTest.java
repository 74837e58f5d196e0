package io.cleave.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;
import io.cleave.disk.FileDisk;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Three media in two folders.
class LocalMediaTest extends BlobStoreContract {
    @TempDir Path temp;

    @Override
    protected BlobStore reopen() {
        Path main = temp.resolve("main");
        return new LocalBlobs(
                new FileDisk(), Map.of("", main, "ssd", main, "hdd", temp.resolve("hdd")));
    }

    @Test
    void aBlobLiesInTheFolderOfItsMedium() {
        long id = sealed(reopen(), "hdd", "far away");
        assertThat(temp.resolve("hdd").resolve(LocalBlobs.sealedName(id))).exists();
        assertThat(reopen().open(id).name()).contains("hdd");
    }

    @Test
    void aBlobThatIsThereTwiceIsRefused() throws IOException {
        String name = LocalBlobs.sealedName(sealed(reopen(), "hdd", "far away"));
        Files.copy(temp.resolve("hdd").resolve(name), temp.resolve("main").resolve(name));
        assertThatThrownBy(this::reopen)
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining(name);
    }
}

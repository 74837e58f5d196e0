package io.cleave.blob;

import io.cleave.base.Check;
import io.cleave.base.CorruptionException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/// Blobs as files of one folder.
///
/// ```
/// 000000000000002a.blob      a sealed blob, its id in hex
/// 000000000000002b.unsealed  being written; what a crash leaves of it is removed at the next start
/// next-id                    ids below this number may be in use: see BlobIds
/// ```
///
/// Sealing is: force the file, rename it, force the folder. So a `.blob` is always whole.
///
/// The folder must belong to this object alone; the node's lock on its data folder sees to that.
public final class LocalBlobs implements BlobStore {
    static final String SEALED = ".blob";
    static final String UNSEALED = ".unsealed";

    private final Path dir;
    private final BlobIds ids;

    public LocalBlobs(Path dir) {
        this.dir = dir;
        try {
            Files.createDirectories(dir);
            removeUnsealed();
            List<Long> sealed = list();
            ids = new BlobIds(dir, sealed.isEmpty() ? 0 : sealed.getLast());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the blob folder " + dir, e);
        }
    }

    private void removeUnsealed() throws IOException {
        try (var files =
                Files.newDirectoryStream(dir, "*{" + UNSEALED + "," + BlobIds.FRESH + "}")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public Set<String> media() {
        return Set.of(DEFAULT_MEDIUM);
    }

    @Override
    public BlobWriter create(String medium) {
        Check.that(media().contains(medium), "there is no medium %s here", medium);
        try {
            return new LocalBlobWriter(dir, ids.next());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a blob in " + dir, e);
        }
    }

    @Override
    public BlobReader open(long id) {
        Path file = sealedFile(dir, id);
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            // Mapped pages outlive the file's name, so a reader goes on after delete; the collector
            // unmaps them when nobody can reach them.
            MemorySegment bytes = channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
            return new SegmentReader(file.toString(), bytes);
        } catch (NoSuchFileException e) {
            var missing = new CorruptionException(file.toString(), 0, "this blob is missing");
            missing.initCause(e);
            throw missing;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open " + file, e);
        }
    }

    @Override
    public void delete(long id) {
        try {
            Files.deleteIfExists(sealedFile(dir, id));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete blob " + id + " in " + dir, e);
        }
    }

    @Override
    public List<Long> list() {
        List<Long> found = new ArrayList<>();
        try (var files = Files.newDirectoryStream(dir, "*" + SEALED)) {
            for (Path file : files) {
                found.add(idOf(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + dir, e);
        }
        Collections.sort(found);
        return List.copyOf(found);
    }

    private static long idOf(Path file) {
        String name = file.getFileName().toString();
        String hex = name.substring(0, name.length() - SEALED.length());
        try {
            return Long.parseUnsignedLong(hex, 16);
        } catch (NumberFormatException e) {
            var strange = new CorruptionException(file.toString(), 0, "no blob has such a name");
            strange.initCause(e);
            throw strange;
        }
    }

    static Path sealedFile(Path dir, long id) {
        return dir.resolve("%016x%s".formatted(id, SEALED));
    }

    /// Makes names in the folder durable: files created, renamed or deleted.
    static void forceDir(Path dir) throws IOException {
        try (var channel = FileChannel.open(dir, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}

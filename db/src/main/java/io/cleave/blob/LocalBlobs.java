package io.cleave.blob;

import io.cleave.base.Check;
import io.cleave.base.CorruptionException;
import io.cleave.disk.Disk;
import io.cleave.disk.FileDisk;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;

/// Blobs as files, in one folder for each medium.
///
/// ```
/// 000000000000002a.blob      a sealed blob, its id in hex
/// 000000000000002b.unsealed  being written; what a crash leaves of it is removed at the next start
/// next-id                    ids below this number may be in use: see BlobIds; in the default
///                            medium's folder only, for ids are unique over all media
/// lost                       a folder of blobs that were set aside; nothing reads them
/// ```
///
/// Sealing is: force the file, rename it, force the folder. So a `.blob` is always whole. Files of
/// any other name are not ours, and are left alone.
///
/// The folders must belong to this object alone; the node's locks on them see to that.
public final class LocalBlobs implements BlobStore {
    private static final Pattern SEALED = Pattern.compile("([0-7][0-9a-f]{15})\\.blob");
    private static final Pattern UNSEALED = Pattern.compile("[0-9a-f]{16}\\.unsealed");

    /// Where blobs go that are set aside.
    public static final String LOST = "lost";

    private final Disk disk;

    /// The folder of each medium; two media may share one.
    private final Map<String, Path> folders;

    /// Where each sealed blob is.
    private final ConcurrentNavigableMap<Long, Path> sealed = new ConcurrentSkipListMap<>();

    private final BlobIds ids;

    /// Blobs of the default medium only.
    public LocalBlobs(Path dir) {
        this(new FileDisk(), Map.of(DEFAULT_MEDIUM, dir));
    }

    /// `folders` names the folder of each medium, the default one among them.
    public LocalBlobs(Disk disk, Map<String, Path> folders) {
        Check.that(folders.containsKey(DEFAULT_MEDIUM), "no folder for the default medium");
        this.disk = disk;
        this.folders = Map.copyOf(folders);
        Path main = folder(DEFAULT_MEDIUM);
        try {
            for (Path folder : distinct(folders)) {
                disk.createFolders(folder);
                openFolder(folder);
            }
            disk.delete(main.resolve(BlobIds.FRESH));
            ids = new BlobIds(disk, main, sealed.isEmpty() ? 0 : sealed.lastKey());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the blob folder " + main, e);
        }
    }

    private static Set<Path> distinct(Map<String, Path> folders) {
        return new LinkedHashSet<>(folders.values());
    }

    private void openFolder(Path folder) throws IOException {
        for (String name : disk.list(folder)) {
            Path file = folder.resolve(name);
            Optional<Long> id = idOf(name);
            if (id.isPresent()) {
                Path other = sealed.put(id.get(), file);
                if (other != null) {
                    throw new CorruptionException(
                            file.toString(), 0, "there is another blob of this id, " + other);
                }
            } else if (isUnsealed(name)) {
                disk.delete(file);
            }
        }
    }

    @Override
    public Set<String> media() {
        return folders.keySet();
    }

    @Override
    public BlobWriter create(String medium) {
        Check.that(media().contains(medium), "there is no medium %s here", medium);
        Path folder = folder(medium);
        try {
            return new LocalBlobWriter(disk, folder, ids.next(), sealed::put);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a blob in " + folder, e);
        }
    }

    @Override
    public BlobReader open(long id) {
        Path file = sealed.get(id);
        if (file == null) {
            throw missing(folder(DEFAULT_MEDIUM).resolve(sealedName(id)), null);
        }
        try {
            // Mapped pages outlive the file's name, so a reader goes on after delete; the collector
            // unmaps them when nobody can reach them.
            return new MappedReader(file.toString(), disk.map(file), disk);
        } catch (NoSuchFileException e) {
            throw missing(file, e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open " + file, e);
        }
    }

    @Override
    public void delete(long id) {
        Path file = sealed.remove(id);
        if (file == null) {
            return;
        }
        try {
            disk.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + file, e);
        }
    }

    @Override
    public String setAside(long id) {
        Path file = sealed.remove(id);
        if (file == null) {
            return "nowhere";
        }
        Path folder = Objects.requireNonNull(file.getParent());
        Path aside = folder.resolve(LOST).resolve(file.getFileName());
        try {
            disk.createFolders(folder.resolve(LOST));
            disk.rename(file, aside);
            disk.forceFolder(folder.resolve(LOST));
            disk.forceFolder(folder);
            return aside.toString();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot set " + file + " aside", e);
        }
    }

    @Override
    public List<Long> list() {
        return List.copyOf(sealed.keySet());
    }

    private Path folder(String medium) {
        Path folder = folders.get(medium);
        if (folder == null) {
            throw new IllegalStateException("no medium " + medium);
        }
        return folder;
    }

    /// What a file in a blob folder is, by its name.
    public enum Kind {
        SEALED,
        NUMBER,
        /// Removed when the store is opened.
        LEFTOVER,
        OTHER
    }

    public static Kind kindOf(String name) {
        if (idOf(name).isPresent()) {
            return Kind.SEALED;
        }
        if (name.equals(BlobIds.NAME)) {
            return Kind.NUMBER;
        }
        return isUnsealed(name) || name.equals(BlobIds.FRESH) ? Kind.LEFTOVER : Kind.OTHER;
    }

    /// The id of a sealed blob by the name of its file; empty if it is no such name.
    static Optional<Long> idOf(String name) {
        var parts = SEALED.matcher(name);
        return parts.matches() ? Optional.of(Long.parseLong(parts.group(1), 16)) : Optional.empty();
    }

    static boolean isUnsealed(String name) {
        return UNSEALED.matcher(name).matches();
    }

    static String sealedName(long id) {
        return "%016x.blob".formatted(id);
    }

    static String unsealedName(long id) {
        return "%016x.unsealed".formatted(id);
    }

    private static CorruptionException missing(Path file, @Nullable Throwable cause) {
        var missing = new CorruptionException(file.toString(), 0, "this blob is missing");
        if (cause != null) {
            missing.initCause(cause);
        }
        return missing;
    }
}

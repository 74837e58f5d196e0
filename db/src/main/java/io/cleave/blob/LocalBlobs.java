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
import java.util.stream.Collectors;

/// A blob store with one file for each blob, and one folder for each medium.
///
/// ```
/// 000000000000002a.blob      a sealed blob, its id in hex
/// 000000000000002b.unsealed  being written; what a crash leaves of it is removed at the next start
/// next-id                    ids below this number may be in use: see BlobIds; only in the
///                            default medium's folder, since ids are unique over all media
/// lost                       a folder of blobs that were set aside; nothing reads them
/// ```
///
/// To seal a blob, the file is forced, then renamed, and then the folder is forced. So a `.blob`
/// file is always complete. Files with other names do not belong to the store, and are ignored.
///
/// The folders must be used by this object only; the node's locks on them ensure that.
public final class LocalBlobs implements BlobStore {
    private static final Pattern SEALED = Pattern.compile("([0-7][0-9a-f]{15})\\.blob");
    private static final Pattern UNSEALED = Pattern.compile("[0-9a-f]{16}\\.unsealed");

    /// The folder for blobs that were set aside.
    public static final String LOST = "lost";

    private final Disk disk;

    /// The folder of each medium; two media may share one.
    private final Map<String, Path> folders;

    /// The path of each sealed blob.
    private final ConcurrentNavigableMap<Long, Path> sealed = new ConcurrentSkipListMap<>();

    private final BlobIds ids;

    /// A store with only the default medium.
    public LocalBlobs(Path dir) {
        this(new FileDisk(), Map.of(DEFAULT_MEDIUM, dir));
    }

    /// `folders` has the folder of each medium, including the default one.
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
            // Mapped pages outlive the file's name, so a reader can continue after a delete. The
            // garbage collector unmaps them when they are unreachable.
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

    /// The kind of a file in a blob folder, according to its name.
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

    /// The id of a sealed blob, from its file name; empty for any other name.
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

    /// It is unknown in which folder the blob was, so the message names all of them.
    private CorruptionException missing(Path file, @Nullable Throwable cause) {
        String others =
                distinct(folders).stream()
                        .filter(folder -> !folder.equals(file.getParent()))
                        .sorted()
                        .map(folder -> " and in " + folder)
                        .collect(Collectors.joining());
        String where = others.isEmpty() ? "" : ", here" + others;
        var missing = new CorruptionException(file.toString(), 0, "this blob is missing" + where);
        if (cause != null) {
            missing.initCause(cause);
        }
        return missing;
    }
}

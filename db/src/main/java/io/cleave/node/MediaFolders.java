package io.cleave.node;

import io.cleave.disk.Disk;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The additional folders of a data folder: one for each *medium*, a named kind of disk that table
/// files may be stored on. The data folder itself is the medium `ssd`, unless another folder is
/// given that name.
///
/// ```
/// data/MEDIA        id 6f1c…e0          created with the first medium
///                   hdd /mnt/big        one line for each medium: its name and its last folder
/// /mnt/big/MEDIUM   hdd of 6f1c…e0      the owner, so that neither the folder of another database
///                                       nor an empty mount point is mistaken for this medium
/// /mnt/big/LOCK     as in the data folder
/// /mnt/big/blobs    as in the data folder
/// ```
///
/// A medium that was used once must be given at every start, because its tables are part of the
/// database.
final class MediaFolders implements AutoCloseable {
    /// The name of the data folder as a medium.
    static final String MAIN = "ssd";

    static final String LIST = "MEDIA";
    static final String MARKER = "MEDIUM";
    private static final String OPTION = "--medium";
    private static final Pattern ID_LINE = Pattern.compile("id ([0-9a-f-]{36})");
    private static final Pattern MEDIUM_LINE = Pattern.compile("([a-z][a-z0-9_]*) (.+)");

    private final Disk disk;
    private final Path data;
    private final Map<String, Path> given;
    private final List<FolderLock> locks = new ArrayList<>();

    private MediaFolders(Disk disk, Path data, Map<String, Path> given) {
        this.disk = disk;
        this.data = data;
        this.given = new TreeMap<>(given);
    }

    /// The content of the file `MEDIA`.
    record Known(String id, Map<String, String> lastFolders) {}

    /// Locks and marks the given folders for this data folder, which the caller has locked.
    static MediaFolders open(Disk disk, Path data, Map<String, Path> given)
            throws StartException, IOException {
        Known known = read(disk, data);
        if (known != null) {
            refuseIfMissing(data, known, given);
        }
        var media = new MediaFolders(disk, data, given);
        try {
            media.takeAll(known);
            return media;
        } catch (StartException | IOException e) {
            media.close();
            throw e;
        }
    }

    Map<String, Path> folders() {
        return given;
    }

    @Override
    public void close() {
        locks.forEach(FolderLock::close);
    }

    static void refuseIfMissing(Path data, Known known, Map<String, Path> given)
            throws StartException {
        for (var medium : known.lastFolders().entrySet()) {
            if (!given.containsKey(medium.getKey())) {
                throw new StartException(
                        ("the data folder %s has tables on the medium '%s', which was not given:"
                                        + " add %s %s=DIR (at the last start it was %s)")
                                .formatted(
                                        data,
                                        medium.getKey(),
                                        OPTION,
                                        medium.getKey(),
                                        medium.getValue()));
            }
        }
    }

    private void takeAll(@Nullable Known known) throws StartException, IOException {
        if (given.isEmpty()) {
            return;
        }
        for (var medium : given.entrySet()) {
            boolean isOld = known != null && known.lastFolders().containsKey(medium.getKey());
            take(medium.getKey(), medium.getValue(), isOld ? known : null);
        }
        String id = known == null ? UUID.randomUUID().toString() : known.id();
        if (known == null) {
            // Written before any marker refers to the id.
            write(id, Map.of());
        }
        for (var medium : given.entrySet()) {
            mark(medium.getKey(), medium.getValue(), id);
        }
        write(id, given);
    }

    private void take(String name, Path folder, @Nullable Known known) throws StartException {
        if (known != null) {
            checkMarker(name, folder, known.id());
        }
        try {
            disk.createFolders(folder);
        } catch (IOException e) {
            throw new StartException(
                    "cannot create the folder %s of the medium '%s' (%s)"
                            .formatted(folder, name, StartException.reason(e)));
        }
        FolderRights.narrow(folder);
        locks.add(FolderLock.take(folder, "the folder of the medium '" + name + "',", OPTION));
    }

    /// Throws unless the folder is the one that was used for this medium before.
    static void checkMarker(String name, Path folder, String id) throws StartException {
        Path marker = folder.resolve(MARKER);
        if (!Files.exists(marker)) {
            throw new StartException(
                    ("%s does not contain the tables of the medium '%s': the file %s is missing; is"
                                    + " the disk mounted?")
                            .formatted(folder, name, MARKER));
        }
        String text = text(marker);
        if (!text.equals(marker(name, id))) {
            throw new StartException(
                    "%s belongs to another data folder or medium: %s says '%s', not '%s'"
                            .formatted(folder, marker, text.strip(), marker(name, id).strip()));
        }
    }

    private void mark(String name, Path folder, String id) throws StartException, IOException {
        Path marker = folder.resolve(MARKER);
        if (Files.exists(marker)) {
            checkMarker(name, folder, id);
            return;
        }
        if (Stream.of("cells", DataFolder.BLOBS, "FORMAT").anyMatch(isThere(folder))) {
            throw new StartException(
                    ("%s is already in use for other data: give the medium '%s' a folder of its own"
                                    + " with %s")
                            .formatted(folder, name, OPTION));
        }
        disk.replace(marker, marker(name, id).getBytes(StandardCharsets.UTF_8));
    }

    private static Predicate<String> isThere(Path folder) {
        return name -> Files.exists(folder.resolve(name));
    }

    private static String marker(String name, String id) {
        return name + " of " + id + "\n";
    }

    private void write(String id, Map<String, Path> media) throws IOException {
        var text = new StringBuilder("id ").append(id).append('\n');
        media.forEach((name, folder) -> text.append(name).append(' ').append(folder).append('\n'));
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        disk.replace(data.resolve(LIST), bytes);
    }

    /// Null if the data folder has no additional media.
    static @Nullable Known read(Disk disk, Path data) throws StartException, IOException {
        Path list = data.resolve(LIST);
        if (!disk.exists(list)) {
            return null;
        }
        String[] lines = text(list).split("\n", -1);
        Matcher id = ID_LINE.matcher(lines[0]);
        boolean isGood = id.matches() && lines[lines.length - 1].isEmpty();
        Map<String, String> folders = new TreeMap<>();
        for (int line = 1; isGood && line < lines.length - 1; line++) {
            Matcher medium = MEDIUM_LINE.matcher(lines[line]);
            isGood = medium.matches();
            if (isGood) {
                folders.put(medium.group(1), medium.group(2));
            }
        }
        if (!isGood) {
            throw new StartException(list + " is damaged: it must contain an id and media");
        }
        return new Known(id.group(1), folders);
    }

    private static String text(Path file) throws StartException {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new StartException("cannot read " + file + " (" + StartException.reason(e) + ")");
        }
    }
}

package io.cleave.log;

import io.cleave.disk.Disk;
import io.cleave.disk.DiskFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The folder `lost` of a log, with copies of data that was cut off or replaced. They are kept for
/// the operator; no code reads them.
final class LostBytes {
    static final String FOLDER = "lost";

    /// A file that exists until the consequences of the loss have been handled.
    private static final String UNSETTLED = "unsettled";

    /// If there are more files, the oldest are deleted.
    private static final int MOST_FILES = 16;

    private static final Pattern NAME = Pattern.compile("([0-9]{6})-.*");

    private final Disk disk;
    private final Path folder;

    LostBytes(Disk disk, Path logFolder) {
        this.disk = disk;
        folder = logFolder.resolve(FOLDER);
    }

    /// Stores a copy, which is durable when this returns. The file name has a sequence number, the
    /// name of the segment, and the offset of the bytes in it.
    void keep(Path segment, long fileOffset, ByteBuffer bytes) throws IOException {
        disk.createFolders(folder);
        List<String> kept = new ArrayList<>(disk.list(folder));
        kept.removeIf(name -> !NAME.matcher(name).matches());
        int number = kept.isEmpty() ? 1 : numberOf(kept.getLast()) + 1;
        String name = "%06d-%s-at-%d".formatted(number, segment.getFileName(), fileOffset);
        try (DiskFile copy = disk.create(folder.resolve(name))) {
            copy.append(bytes);
            copy.force();
        }
        for (int index = 0; index <= kept.size() - MOST_FILES; index++) {
            disk.delete(folder.resolve(kept.get(index)));
        }
        if (!isUnsettled()) {
            disk.create(folder.resolve(UNSETTLED)).close();
        }
        disk.forceFolder(folder);
    }

    /// Whether something was kept and [#settle] has not been called since.
    boolean isUnsettled() throws IOException {
        return disk.exists(folder.resolve(UNSETTLED));
    }

    void settle() throws IOException {
        if (disk.delete(folder.resolve(UNSETTLED))) {
            disk.forceFolder(folder);
        }
    }

    /// The number of copies.
    int count() throws IOException {
        return disk.exists(folder)
                ? (int) disk.list(folder).stream().filter(name -> !name.equals(UNSETTLED)).count()
                : 0;
    }

    private static int numberOf(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
    }
}

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

/// The folder `lost` of a log: copies of what was cut off or replaced, for people. Nothing reads
/// them.
final class LostBytes {
    static final String FOLDER = "lost";

    /// The oldest go when there are more.
    private static final int MOST_FILES = 16;

    private static final Pattern NAME = Pattern.compile("([0-9]{6})-.*");

    private final Disk disk;
    private final Path folder;

    LostBytes(Disk disk, Path logFolder) {
        this.disk = disk;
        folder = logFolder.resolve(FOLDER);
    }

    /// Durable when it returns. The name of the copy has a number, the segment's name, and where in
    /// it the bytes stood.
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
        disk.forceFolder(folder);
    }

    private static int numberOf(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
    }
}

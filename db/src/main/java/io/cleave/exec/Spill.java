package io.cleave.exec;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The files of one run. All that are left are removed when the run ends. Threads: the one that
/// runs the query.
final class Spill implements AutoCloseable {
    private final @Nullable SpillFolder folder;
    private final long memoryBytes;

    /// Most runs need none.
    private List<SpillFile> files = List.of();

    /// Without a folder, what does not fit into memory is refused.
    Spill(@Nullable SpillFolder folder, long memoryBytes) {
        this.folder = folder;
        this.memoryBytes = memoryBytes;
    }

    SpillFile newFile() {
        if (folder == null) {
            throw full();
        }
        SpillFile file = folder.newFile();
        if (files.isEmpty()) {
            files = new ArrayList<>();
        }
        files.add(file);
        return file;
    }

    List<SpillFile> newFiles(int count) {
        List<SpillFile> made = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            made.add(newFile());
        }
        return made;
    }

    void remove(SpillFile file) {
        files.remove(file);
        file.close();
    }

    /// Neither memory nor disk can help.
    StatusException full() {
        return new StatusException(
                Status.PRECONDITION_FAILED,
                "Memory limit exceeded: sorting, grouping and joining of one query may keep at"
                        + " most "
                        + memoryBytes
                        + " bytes. Narrow the query down or add a LIMIT");
    }

    @Override
    public void close() {
        if (!files.isEmpty()) {
            List<SpillFile> left = files;
            files = List.of();
            left.forEach(SpillFile::close);
        }
    }
}

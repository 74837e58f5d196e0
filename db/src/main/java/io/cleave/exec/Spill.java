package io.cleave.exec;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The spill files of one run. The remaining files are removed when the run ends. Threads: the one
/// that runs the query.
final class Spill implements AutoCloseable {
    private final @Nullable SpillFolder folder;
    private final QueryMemory memory;
    private final QueryMemory.Share buffers;

    /// Empty in most runs.
    private List<SpillFile> files = List.of();

    /// Without a folder, a run that does not fit into memory fails.
    Spill(@Nullable SpillFolder folder, QueryMemory memory) {
        this.folder = folder;
        this.memory = memory;
        buffers = new QueryMemory.Share(memory);
    }

    SpillFile newFile() {
        if (folder == null) {
            throw memory.exceeded();
        }
        SpillFile file = folder.newFile(buffers);
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

    @Override
    public void close() {
        if (!files.isEmpty()) {
            List<SpillFile> left = files;
            files = List.of();
            left.forEach(SpillFile::close);
        }
    }
}

package io.cleave.exec.spill;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The memory of one run, and the files for rows that do not fit into it. The remaining files are
/// removed when the run ends. Threads: the one that runs the query.
public final class Spill implements AutoCloseable {
    private final @Nullable SpillFolder folder;
    private final QueryMemory memory;
    private final Checkpoint checkpoint;
    private final QueryMemory.Share buffers;

    /// Empty in most runs.
    private List<SpillFile> files = List.of();

    /// Without a folder, a run that does not fit into memory fails.
    public Spill(@Nullable SpillFolder folder, QueryMemory memory, Checkpoint checkpoint) {
        this.folder = folder;
        this.memory = memory;
        this.checkpoint = checkpoint;
        buffers = new QueryMemory.Share(memory);
    }

    /// The memory of the run.
    QueryMemory memory() {
        return memory;
    }

    /// The checkpoint of the thread that runs the query.
    Checkpoint checkpoint() {
        return checkpoint;
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

    public void remove(SpillFile file) {
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

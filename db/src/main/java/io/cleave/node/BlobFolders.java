package io.cleave.node;

import io.cleave.blob.LocalBlobs;
import io.cleave.disk.Disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;

/// Reports files in the blob folders that are not sealed blobs.
final class BlobFolders {
    private final Disk disk;
    private final FsckReport report;

    BlobFolders(Disk disk, FsckReport report) {
        this.disk = disk;
        this.report = report;
    }

    void noteLeftovers(Map<String, Path> folders) throws IOException {
        for (Path folder : new TreeSet<>(folders.values())) {
            if (!disk.exists(folder)) {
                continue;
            }
            for (String name : disk.list(folder)) {
                String file = folder.resolve(name).toString();
                switch (LocalBlobs.kindOf(name)) {
                    case SEALED, NUMBER -> {}
                    case LEFTOVER ->
                            report.note(
                                    file,
                                    "was being written when the server ended; the next start"
                                            + " removes it");
                    case OTHER ->
                            report.note(
                                    file,
                                    name.equals(LocalBlobs.LOST)
                                            ? "blobs that were set aside when records were lost;"
                                                    + " nothing reads them"
                                            : "is not a blob; it is left alone");
                }
            }
        }
    }
}

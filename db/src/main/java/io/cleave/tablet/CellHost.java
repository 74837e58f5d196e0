package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.lsm.table.TableFiles;
import io.cleave.time.Timeline;

/// What a process gives to each cell that it hosts. All its cells share these.
///
/// @param references the table files, with the cells that use each of them
public record CellHost(
        BlobReferences references,
        Timeline timeline,
        CellOptions options,
        Background background,
        Env env) {
    /// The table files of all cells.
    public TableFiles files() {
        return references.files();
    }
}

package io.cleave.blob;

import java.util.List;
import java.util.Set;

/// Write-once byte strings named by numbers. A blob can be read once it is sealed, and never
/// changes after that.
///
/// Invariants: an id is given out once, also across restarts; what a crash left unsealed is not
/// listed and is removed when the store is opened again. Threads: any; one [BlobWriter] belongs to
/// one thread at a time.
///
/// A failing disk is an [java.io.UncheckedIOException]; a blob that should be there and is not is a
/// [io.cleave.base.CorruptionException].
public interface BlobStore {
    /// The medium that is always there.
    String DEFAULT_MEDIUM = "";

    default BlobWriter create() {
        return create(DEFAULT_MEDIUM);
    }

    /// A new blob on a medium of [#media].
    BlobWriter create(String medium);

    /// The names of the media that blobs may lie on.
    Set<String> media();

    /// Opens a sealed blob. The reader stays good after the blob was deleted.
    BlobReader open(long id);

    /// Deletes a sealed blob; one that is gone already is no error, for a caller that crashed after
    /// deleting will do it again.
    void delete(long id);

    /// Takes a blob out of the store that may be of a record which is lost, and keeps its bytes for
    /// people where that can be. Answers with where they are now. A store whose logs lose nothing
    /// has nobody to keep them for, and deletes it.
    default String setAside(long id) {
        delete(id);
        return "nowhere";
    }

    /// The ids of all sealed blobs, ascending.
    List<Long> list();
}

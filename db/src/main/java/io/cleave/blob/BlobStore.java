package io.cleave.blob;

import java.util.List;
import java.util.Set;

/// A store of write-once byte strings, identified by numbers. A blob can be read once it is sealed,
/// and then never changes.
///
/// Invariants: an id is used only once, also across restarts. Blobs that a crash left unsealed are
/// not listed, and are removed when the store is opened again. Threads: any; one [BlobWriter] is
/// used by one thread at a time.
///
/// A disk failure is an [java.io.UncheckedIOException]; a missing blob is a
/// [io.cleave.base.CorruptionException].
public interface BlobStore {
    /// The medium that every store has.
    String DEFAULT_MEDIUM = "";

    default BlobWriter create() {
        return create(DEFAULT_MEDIUM);
    }

    /// Creates a blob on one of [#media].
    BlobWriter create(String medium);

    /// The names of the available media.
    Set<String> media();

    /// Opens a sealed blob. The reader can be used even after the blob was deleted.
    BlobReader open(long id);

    /// Deletes a sealed blob. It is not an error if the blob does not exist, because a caller that
    /// crashed after a deletion repeats it.
    void delete(long id);

    /// Removes a blob that may belong to a lost log record, and keeps its bytes for the operator if
    /// the store can. Returns where they are now. A store whose logs lose nothing has no such need,
    /// and deletes the blob.
    default String setAside(long id) {
        delete(id);
        return "nowhere";
    }

    /// The ids of all sealed blobs, ascending.
    List<Long> list();
}

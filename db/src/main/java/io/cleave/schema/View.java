package io.cleave.schema;

/// A named query. `text` is parsed again at each use. Relative paths in it start at `pathPrefix`,
/// as when the view was created; empty means the database.
public record View(long id, String path, String text, String pathPrefix, long createdMicros) {
    public View withPath(String changed) {
        return new View(id, changed, text, pathPrefix, createdMicros);
    }
}

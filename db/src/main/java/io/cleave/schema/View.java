package io.cleave.schema;

/// A query under a name. `text` is read anew wherever the view is, and relative paths in it begin
/// at `pathPrefix`, as they did where it was made; empty is the database.
public record View(long id, String path, String text, String pathPrefix, long createdMicros) {
    public View withPath(String changed) {
        return new View(id, changed, text, pathPrefix, createdMicros);
    }
}

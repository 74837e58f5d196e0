package io.cleave.catalog;

import io.cleave.base.Bytes;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;

/// What YTsaurus' tree ("Cypress") knows of a path. A directory, table or view of the tree that YDB
/// shows may have such a record at its path, with its id and its attributes. Documents, links and
/// nodes with one value have only this record: YDB does not show them.
///
/// @param value a document or the value of a scalar node, in binary YSON; the target of a link, as
///   text; empty for everything else
/// @param attributes the stored attributes as a map in binary YSON; empty if there are none
/// @param owner the user who created the node
/// @param contentRevision grows with each change of the value or of the children
/// @param attributeRevision grows with each change of an attribute
public record CypressNode(
        String path,
        ObjectId id,
        ObjectType type,
        Bytes value,
        Bytes attributes,
        String owner,
        long createdMicros,
        long modifiedMicros,
        long contentRevision,
        long attributeRevision) {
    /// Whether the node is known to YTsaurus only.
    public boolean isOwn() {
        return switch (type) {
            case DOCUMENT, LINK, STRING_NODE, INT64_NODE, UINT64_NODE, DOUBLE_NODE, BOOLEAN_NODE ->
                    true;
            default -> false;
        };
    }

    /// The bytes that count towards the limits.
    public long bytes() {
        return (long) value.length() + attributes.length();
    }

    public CypressNode at(String otherPath) {
        return new CypressNode(
                otherPath,
                id,
                type,
                value,
                attributes,
                owner,
                createdMicros,
                modifiedMicros,
                contentRevision,
                attributeRevision);
    }

    public CypressNode withValue(Bytes changed, long micros, long revision) {
        return new CypressNode(
                path,
                id,
                type,
                changed,
                attributes,
                owner,
                createdMicros,
                micros,
                revision,
                attributeRevision);
    }

    public CypressNode withAttributes(Bytes changed, long micros, long revision) {
        return new CypressNode(
                path,
                id,
                type,
                value,
                changed,
                owner,
                createdMicros,
                micros,
                contentRevision,
                revision);
    }

    public CypressNode withOwner(String changed) {
        return new CypressNode(
                path,
                id,
                type,
                value,
                attributes,
                changed,
                createdMicros,
                modifiedMicros,
                contentRevision,
                attributeRevision);
    }

    /// The node after a child was added or removed.
    public CypressNode touched(long micros, long revision) {
        return withValue(value, micros, revision);
    }
}

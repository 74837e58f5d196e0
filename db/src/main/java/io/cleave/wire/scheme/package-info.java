/// Tables, indexes, directories and permissions as protobuf messages: requests become definitions
/// and changes of the package `schema`, and tables become descriptions.
///
/// [TableDefinitions] reads CreateTable, [TableChanges] reads AlterTable, and [TableDescriptions]
/// writes the answer of DescribeTable. The parts that they share (columns, families, TTL, read
/// replicas) are read by `TableParts` and `StorageRequests`.
///
/// What always holds: nothing here changes the tree. A setting that is not supported is refused,
/// and not ignored.
///
/// Begin with [TableDefinitions].
@NullMarked
package io.cleave.wire.scheme;

import org.jspecify.annotations.NullMarked;

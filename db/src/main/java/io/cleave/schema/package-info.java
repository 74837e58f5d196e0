/// The schema: tables with their columns, keys, indexes and options, views, users and permissions,
/// and ranges of encoded keys; and the figures of tablets and replicas that users see. All types
/// are immutable. Begin with `Table`; `TableRules` creates one, and `TableAlteration` changes it.
@NullMarked
package io.cleave.schema;

import org.jspecify.annotations.NullMarked;

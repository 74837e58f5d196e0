/// The schema: tables with their columns, keys, indexes and options, views, users and permissions,
/// and ranges of encoded keys. All types are immutable. Begin with `Table`; `TableRules` creates
/// one, and `TableAlteration` changes it.
@NullMarked
package io.cleave.schema;

import org.jspecify.annotations.NullMarked;

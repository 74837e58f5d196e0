/// The system views: tables in the directory `.sys` that are not stored. Their rows are made when
/// they are read, from the catalog, from tablets, and from what the node knows about its queries,
/// sessions and memory.
///
/// A view is a [SystemView]: a table with a negative id, and its rows. Most views list objects of
/// one kind, with one `ViewColumn` for each column.
///
/// What always holds: the names, columns and types of views that YDB has, too, are those of YDB. A
/// column that is not measured here is NULL. No view is writable.
///
/// Begin with [SystemViews]; [QueryViews] lists the views about queries.
@NullMarked
package io.cleave.query.view;

import org.jspecify.annotations.NullMarked;

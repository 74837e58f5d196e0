/// JsonPath, the path language of SQL's JSON functions (`JSON_EXISTS`, `JSON_VALUE`, `JSON_QUERY`):
/// parses the text of a path into a tree, and applies the tree to a document.
///
/// What always holds:
///
/// - A result depends only on the path, the document and the variables. Nothing here knows tables,
///   clocks or threads.
/// - A parsed path never changes, so any number of threads may apply it at the same time.
/// - A path that is not valid, or that cannot be applied to a document, is a
///   [io.cleave.jsonpath.JsonPathException]. The functions handle it as `ON ERROR` says.
///
/// Begin with [io.cleave.jsonpath.JsonPath]. `PathParser` makes the tree, and `PathEvaluator`
/// applies it.
@NullMarked
package io.cleave.jsonpath;

import org.jspecify.annotations.NullMarked;

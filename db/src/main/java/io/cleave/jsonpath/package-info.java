/// JsonPath, the path language of SQL's JSON functions: parses a text into a tree, and applies the
/// tree to a document. It is pure: it knows neither tables nor threads.
///
/// Begin with [io.cleave.jsonpath.JsonPath].
@NullMarked
package io.cleave.jsonpath;

import org.jspecify.annotations.NullMarked;

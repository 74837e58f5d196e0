/// JsonPath, the language of paths in SQL's JSON functions: text to tree, and a tree applied to a
/// document. Pure. Begin with [io.cleave.jsonpath.JsonPath].
@NullMarked
package io.cleave.jsonpath;

import org.jspecify.annotations.NullMarked;

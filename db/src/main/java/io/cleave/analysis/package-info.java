/// Names and types: a syntax tree and the catalog's answers become a typed tree.
@NullMarked
package io.cleave.analysis;

import org.jspecify.annotations.NullMarked;

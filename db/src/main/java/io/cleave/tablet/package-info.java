/// Cells and tablets: a log applied in order to the rows of many key ranges.
@NullMarked
package io.cleave.tablet;

import org.jspecify.annotations.NullMarked;

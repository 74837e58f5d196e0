/// Which directories and tables exist, kept as rows of system tables in the system cell.
@NullMarked
package io.cleave.catalog;

import org.jspecify.annotations.NullMarked;

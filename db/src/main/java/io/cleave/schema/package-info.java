/// What a table is: columns, key, settings, and ranges of encoded keys.
@NullMarked
package io.cleave.schema;

import org.jspecify.annotations.NullMarked;

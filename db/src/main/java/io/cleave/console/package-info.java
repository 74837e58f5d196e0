/// The HTTP port: health and metrics.
@NullMarked
package io.cleave.console;

import org.jspecify.annotations.NullMarked;

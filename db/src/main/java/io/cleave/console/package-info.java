/// The HTTP port: health, metrics, and what an operator may ask for.
@NullMarked
package io.cleave.console;

import org.jspecify.annotations.NullMarked;

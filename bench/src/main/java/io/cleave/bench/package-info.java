/// Speed, measured: each benchmark prints one line a figure.
@NullMarked
package io.cleave.bench;

import org.jspecify.annotations.NullMarked;

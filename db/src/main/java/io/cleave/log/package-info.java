/// The commit log: an ordered sequence of records, durable when acknowledged, with one writer.
@NullMarked
package io.cleave.log;

import org.jspecify.annotations.NullMarked;

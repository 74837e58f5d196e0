/// The commit log: an ordered sequence of records, durable when acknowledged, with one writer.
/// Begin with [Log]; [GroupCommit] is how appends become durable, [LocalLog] the files.
@NullMarked
package io.cleave.log;

import org.jspecify.annotations.NullMarked;

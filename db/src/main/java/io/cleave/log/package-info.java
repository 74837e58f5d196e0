/// The commit log: an ordered sequence of records with one writer. A record is durable once it is
/// acknowledged.
///
/// A log has at most one writer at a time; opening a new writer fences the old one. Damage is never
/// repaired by guess. A torn tail, such as a crash leaves, is cut off. With any other damage the
/// log does not open, unless the operator accepts the loss.
///
/// Begin with [Log]. [GroupCommit] makes appended records durable, and [LocalLog] stores them in
/// files.
@NullMarked
package io.cleave.log;

import org.jspecify.annotations.NullMarked;

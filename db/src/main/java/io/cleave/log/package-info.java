/// The commit log: an ordered sequence of records with one writer. Every cell has one log, and the
/// state of the cell is a function of its records.
///
/// What always holds:
///
/// - A record is durable once it is acknowledged, and records are acknowledged in their order.
/// - A log has at most one writer at a time; opening a new writer fences the old one.
/// - After a failed write or sync, nothing more is written until the log was opened and read again.
///   The exception is a write that found no room on the disk: the writer waits for room and
///   retries.
/// - Damage is never repaired by guess. A torn tail, such as a crash leaves, is cut off. With any
///   other damage the log does not open, unless the operator accepts the loss.
///
/// Begin with [Log]. [GroupCommit] makes appended records durable, and [LocalLog] stores them in
/// files.
@NullMarked
package io.cleave.log;

import org.jspecify.annotations.NullMarked;

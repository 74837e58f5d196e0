package io.cleave.tablet;

import io.cleave.log.Log;

import java.util.function.LongSupplier;

/// The parts of a cell's leader that a read replica may use.
///
/// @param appended one past the newest record of the log, durable or not
record ReplicaSource(long cellId, Log log, LongSupplier appended, BlobReferences references) {}

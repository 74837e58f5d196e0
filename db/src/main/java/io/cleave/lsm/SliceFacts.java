package io.cleave.lsm;

import io.cleave.lsm.table.Slice;

/// A slice as the compaction picker sees it.
///
/// @param erased whether all of it is hidden by a range erase that every snapshot sees
/// @param stale whether it was written with other settings than the tree has now, or before some of
///   it was erased
/// @param garbage the share of its versions that is garbage, from 0 to 1; 0 while a snapshot may
///   need some of them
/// @param layer the statistics of its rows, and of what it hides in older slices
record SliceFacts(Slice slice, boolean erased, boolean stale, double garbage, Layer layer) {}

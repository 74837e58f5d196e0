package io.cleave.lsm;

/// A slice as the picker sees it.
///
/// @param erased all of it lies under a range erase that every snapshot sees
/// @param stale written with other settings than the tree has now, or before some of it was erased
/// @param garbage which part of its versions is good for nothing any more, from 0 to 1; 0 while a
///   snapshot may need some of them
/// @param layer what is known of its rows, and of what it hides in older slices
record SliceFacts(Slice slice, boolean erased, boolean stale, double garbage, Layer layer) {}

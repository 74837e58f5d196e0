/// The newest writes of a tree, in memory and in key order.
///
/// The active memtable has one writer and any number of readers without locks. Before a flush it is
/// frozen: a frozen memtable never changes, and several trees can share it after a split.
///
/// What always holds: a version once added never changes, and the timestamps of one key never
/// decrease. A reader sees every version that was added before it took its snapshot. The log above
/// this package makes versions durable; here they are only in memory.
///
/// Begin with [io.cleave.lsm.memtable.Memtable]. `MemtableNodes` is the skip list of keys,
/// `MemtableIndex` the hash index of the same keys, `MemtableVersions` the memory of the versions.
@NullMarked
package io.cleave.lsm.memtable;

import org.jspecify.annotations.NullMarked;

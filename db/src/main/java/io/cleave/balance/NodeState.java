package io.cleave.balance;

/// A node, and its memory for blocks that are pinned.
///
/// @param pinnedBytes what is in use. This can be more than the sum over tablets, because a file
///   stays pinned as long as a tablet has a part of it
/// @param maxPinnedBytes the limit
public record NodeState(int nodeId, long pinnedBytes, long maxPinnedBytes) {}

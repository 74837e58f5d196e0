package io.cleave.balance;

/// A cell, the bundle it belongs to, and the node that leads it.
public record CellMembership(long cellId, String bundle, int nodeId) {}

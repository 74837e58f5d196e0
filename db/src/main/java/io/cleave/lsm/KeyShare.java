package io.cleave.lsm;

import io.cleave.base.Bytes;

/// A key, and the estimated share of a tree's bytes before it.
public record KeyShare(Bytes key, double share) {}

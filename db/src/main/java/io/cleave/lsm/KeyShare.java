package io.cleave.lsm;

import io.cleave.base.Bytes;

/// A key, and about which share of a tree's bytes lies before it.
public record KeyShare(Bytes key, double share) {}

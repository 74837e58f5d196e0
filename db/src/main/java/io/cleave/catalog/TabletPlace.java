package io.cleave.catalog;

import io.cleave.schema.KeyRange;

/// Where a tablet is: the key range it holds and the cell it lives in, and which of its places and
/// ranges that is.
public record TabletPlace(long tabletId, long cellId, KeyRange range, long epoch) {}

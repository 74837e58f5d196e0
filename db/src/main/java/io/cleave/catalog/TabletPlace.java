package io.cleave.catalog;

import io.cleave.schema.KeyRange;

/// The cell and the key range of a tablet. The epoch grows with each split, merge and move.
public record TabletPlace(long tabletId, long cellId, KeyRange range, long epoch) {}

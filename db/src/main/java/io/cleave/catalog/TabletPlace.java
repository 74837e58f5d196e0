package io.cleave.catalog;

import io.cleave.schema.KeyRange;

/// Where a tablet is: the key range it holds and the cell it lives in.
public record TabletPlace(long tabletId, long cellId, KeyRange range) {}

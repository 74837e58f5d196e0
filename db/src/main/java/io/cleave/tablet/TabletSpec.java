package io.cleave.tablet;

import io.cleave.schema.KeyRange;

/// A tablet to be: a key range of a table.
public record TabletSpec(long tabletId, long tableId, KeyRange range) {}

package io.cleave.tablet;

/// A tablet that moves to another cell, with its epoch in the target cell.
public record DetachedTablet(long tabletId, long tableId, long targetCellId, long epoch) {}

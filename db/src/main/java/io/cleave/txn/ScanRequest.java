package io.cleave.txn;

import io.cleave.base.Direction;
import io.cleave.codec.RowReader;
import io.cleave.schema.KeyRange;

/// What a scan by rows reads: the columns of the rows of a key range, at a snapshot.
///
/// @param reader makes the values of `columns` from stored rows
record ScanRequest(
        KeyRange range,
        ReadColumns columns,
        RowReader reader,
        long snapshot,
        Direction direction) {}

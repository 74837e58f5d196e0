package io.cleave.yt.table.row;

import io.cleave.base.Bytes;

import java.util.List;

/// A table that a call has named.
///
/// @param ypath as the client wrote it
record NamedTable(String ypath, WireTable wire, RowGate gate) {
    void checkRead(List<Bytes> keys) {
        gate.checkRead(wire.table(), ypath, keys);
    }

    void checkWrite(List<Bytes> keys) {
        gate.checkWrite(wire.table(), ypath, keys);
    }
}

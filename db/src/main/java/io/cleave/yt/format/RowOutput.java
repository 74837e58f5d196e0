package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;

import java.util.List;

/// Takes rows one after the other and writes them in the format that the client wants. A call may
/// wait until the client has read what was written before.
///
/// Threads: one at a time.
public interface RowOutput {
    /// Called once, before the first row. The fields of rows use the numbers of the columns in this
    /// list.
    void columns(List<Bytes> names);

    void beginRow();

    /// Begins a row with attributes, such as the timestamps of a versioned row. A format that has
    /// no attributes leaves them out.
    default void beginRow(YsonNode.Members attributes) {
        beginRow();
    }

    void nullField(int column);

    void intField(int column, long value);

    void uintField(int column, long value);

    void doubleField(int column, double value);

    void booleanField(int column, boolean value);

    void stringField(int column, Bytes value);

    /// A value of any type, as YSON.
    void anyField(int column, Bytes yson);

    void endRow();

    /// A row that was requested and does not exist.
    void missingRow();
}

package io.cleave.balance;

import io.cleave.base.Bytes;

import java.util.List;

/// What is known of a tablet's keys; asked for only where a key is to be chosen.
public interface KeyFacts {
    /// Keys of rows that have about `1/count`, `2/count`, … of the tablet's bytes before them,
    /// ascending; fewer if it has few rows.
    List<SizePoint> sizes(long tabletId, int count);

    /// Keys that were read and written over the load window, oldest first.
    List<KeySample> samples(long tabletId);

    /// A key, and which share of the tablet's bytes lies before it.
    record SizePoint(Bytes key, double share) {}

    enum Access {
        READ,
        /// Where a scan began, or a key that it came by.
        RANGE,
        WRITE,
        DELETE
    }

    /// A key that was asked for.
    ///
    /// @param weight what it stands for of the load
    record KeySample(Bytes key, Access access, long micros, double weight) {}
}

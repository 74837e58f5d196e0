package io.cleave.balance;

import io.cleave.base.Bytes;

import java.util.List;

/// Facts about the keys of a tablet, requested only when a key has to be chosen.
public interface KeyFacts {
    /// Keys of rows that have about `1/count`, `2/count`, … of the tablet's bytes before them,
    /// ascending; fewer if it has few rows.
    List<SizePoint> sizes(long tabletId, int count);

    /// Keys that were read and written over the load window, oldest first.
    List<KeySample> samples(long tabletId);

    /// A key, and the share of the tablet's bytes before it.
    record SizePoint(Bytes key, double share) {}

    enum Access {
        READ,
        /// The start of a scan, or a key that a scan passed.
        RANGE,
        WRITE,
        DELETE
    }

    /// A key that was accessed.
    ///
    /// @param weight the load that the sample represents
    record KeySample(Bytes key, Access access, long micros, double weight) {}
}

package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;

import java.util.List;

/// The answer to a read of a tablet whose keys have gone to other tablets. Nothing was read. The
/// answer says where the keys are now.
///
/// It is an exception, without a stack trace, because the answer to a read of one row is that row:
/// an object around each row would be garbage on the most frequent path.
public final class MovedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Route> successors;

    MovedException(List<Route> successors) {
        super("the keys of the tablet have moved", null, false, false);
        this.successors = successors;
    }

    /// The route to the tablet that has the key now. The key must lie in the range of the tablet
    /// that was asked.
    public Route find(Bytes key) {
        return Route.find(successors, key);
    }

    /// The tablets that now have the keys of the range that was asked for, in key order.
    public List<Route.Part> find(KeyRange range) {
        return Route.find(successors, range);
    }
}

package io.cleave.balance.ydb;

import io.cleave.balance.Figure;
import io.cleave.base.Bytes;

import java.util.List;

/// The keys at which to split a tablet, ascending; none if it cannot be split.
///
/// @param rejected the alternatives that were considered and not taken, in words
record KeyChoice(List<Bytes> keys, List<Figure> figures, List<String> rejected) {
    KeyChoice {
        keys = List.copyOf(keys);
        figures = List.copyOf(figures);
        rejected = List.copyOf(rejected);
    }

    static KeyChoice none(String why) {
        return new KeyChoice(List.of(), List.of(), List.of(why));
    }

    /// The share of the tablet before a cut, when it is split into `ways` pieces.
    static Figure before(String what, int cut, int ways, double share) {
        String which = ways == 2 ? "the cut" : "cut " + cut;
        return Figure.share(what + " before " + which, share, Double.NaN);
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    String why() {
        return String.join("; ", rejected);
    }
}

package io.cleave.balance;

import io.cleave.base.Bytes;

import java.util.List;

/// The keys at which a tablet is to be cut, ascending; none if it cannot be.
///
/// @param rejected what was looked at and not taken, in words
record KeyChoice(List<Bytes> keys, List<Figure> figures, List<String> rejected) {
    KeyChoice {
        keys = List.copyOf(keys);
        figures = List.copyOf(figures);
        rejected = List.copyOf(rejected);
    }

    static KeyChoice none(String why) {
        return new KeyChoice(List.of(), List.of(), List.of(why));
    }

    /// What lies before a cut of a tablet that is to be so many.
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

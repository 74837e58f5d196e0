package io.cleave.value;

import io.cleave.base.Bytes;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// A YSON value as a tree.
public sealed interface YsonNode {
    /// The value `#`.
    record Entity() implements YsonNode {}

    record Bool(boolean value) implements YsonNode {}

    record Int64(long value) implements YsonNode {}

    record Uint64(long value) implements YsonNode {}

    record Real(double value) implements YsonNode {}

    record Text(Bytes value) implements YsonNode {}

    record Items(List<YsonNode> items) implements YsonNode {
        public Items {
            items = List.copyOf(items);
        }
    }

    /// Members by name; each name occurs once.
    record Members(SequencedMap<Bytes, YsonNode> members) implements YsonNode {
        public Members {
            members = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
        }
    }

    /// A value with attributes, such as `<a=1>value`.
    record Attributed(Members attributes, YsonNode value) implements YsonNode {}

    /// The value in the bytes, in the text or the binary form; empty if they are not exactly one
    /// value.
    static Optional<YsonNode> parse(Bytes data) {
        try {
            return Optional.of(new YsonReader(data).whole());
        } catch (YsonReader.Malformed _) {
            return Optional.empty();
        }
    }

    /// The value without its attributes.
    default YsonNode bare() {
        return this instanceof Attributed(_, YsonNode value) ? value : this;
    }
}

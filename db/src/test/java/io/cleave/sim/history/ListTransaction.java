package io.cleave.sim.history;

import java.util.List;
import java.util.stream.Collectors;

/// A transaction over lists, each of which is only ever appended to, with elements that are
/// appended to it once in the whole history.
///
/// @param began before its first request was sent, counted over the whole history
/// @param ended after its last reply had come; means nothing when the outcome is unknown
public record ListTransaction(
        String name, long began, long ended, Outcome outcome, List<Operation> operations) {
    public ListTransaction {
        operations = List.copyOf(operations);
    }

    public sealed interface Operation {
        String list();

        /// Everything that was in the list.
        record Read(String list, List<Long> elements) implements Operation {
            public Read {
                elements = List.copyOf(elements);
            }

            @Override
            public String toString() {
                return "r " + list + " " + elements;
            }
        }

        record Append(String list, long element) implements Operation {
            @Override
            public String toString() {
                return "a " + list + " " + element;
            }
        }
    }

    /// Names are given once in a history; comparing all of it would make graphs slow.
    @Override
    public boolean equals(Object other) {
        return other instanceof ListTransaction that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name
                + operations.stream()
                        .map(Operation::toString)
                        .collect(Collectors.joining(", ", " {", "}"));
    }
}

package io.cleave.control;

import java.util.List;

/// The latest decisions about keys of a table.
///
/// @param entries oldest first
/// @param hasOlder whether there are more, which are older
/// @param sinceMicros every change that was decided at this time or later is known
public record DecisionAnswer(List<TabletDecision> entries, boolean hasOlder, long sinceMicros) {
    public DecisionAnswer {
        entries = List.copyOf(entries);
    }
}

package io.cleave.plan;

import io.cleave.plan.range.InferenceNote;
import io.cleave.plan.range.InferredRanges;

import java.util.ArrayList;
import java.util.List;

/// Prints how key ranges were inferred, in sentences for the reader of a plan.
final class InferenceText {
    private InferenceText() {}

    /// One sentence for each key column that counts, and one for the ranges. `names` has the names
    /// of the key columns.
    static List<String> of(InferredRanges inferred, List<String> names) {
        List<String> lines = new ArrayList<>();
        for (InferenceNote note : inferred.notes()) {
            lines.add(names.get(note.column()) + " " + line(note, inferred.limit()));
        }
        inferred.joined()
                .ifPresent(
                        column ->
                                lines.add(
                                        "the values of "
                                                + names.get(column)
                                                + " are joined to one range and later columns are"
                                                + " not used, because of the limit "
                                                + inferred.limit()));
        String ranges = counted(inferred.ranges().size(), "range");
        lines.add(
                inferred.rows() > 1
                        ? ranges + " from " + inferred.rows() + " combinations of values"
                        : ranges);
        return lines;
    }

    private static String line(InferenceNote note, long limit) {
        return switch (note.way()) {
            case VALUE -> "has one value";
            case COMPUTED -> "is computed";
            case QUOTIENTS ->
                    "is enumerated by quotients, "
                            + counted(note.candidates(), "candidate")
                            + otherwise(note, "by remainders");
            case REMAINDERS ->
                    "is enumerated by remainders, "
                            + counted(note.candidates(), "candidate")
                            + " and NULL"
                            + otherwise(note, "by quotients");
            case GIVEN -> "has the value of the predicate";
            case RANGE -> "has a range of values, so inference stops here";
            case ANY -> "has any value, so inference stops here";
            case TOO_MANY ->
                    "would have "
                            + counted(note.candidates(), "candidate")
                            + (note.otherwise() == 0
                                    ? ""
                                    : " (the other way: " + number(note.otherwise()) + ")")
                            + ", more than the limit "
                            + limit
                            + ", so inference stops here";
            case UNKNOWN ->
                    "is computed from a column that has neither a value nor a short range of"
                            + " integers, so inference stops here";
        };
    }

    private static String otherwise(InferenceNote note, String way) {
        return note.otherwise() == 0 ? "" : " (" + way + ": " + number(note.otherwise()) + ")";
    }

    private static String counted(long count, String what) {
        return number(count) + " " + what + (count == 1 ? "" : "s");
    }

    /// The greatest number stands for all that are greater.
    private static String number(long unsigned) {
        return unsigned == -1 ? "unlimited" : Long.toUnsignedString(unsigned);
    }
}

package io.cleave.exec;

import io.cleave.analysis.Typed;
import io.cleave.value.LongVector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Leaves the rows of a batch in which a predicate is true. The terms of an AND that cannot fail
/// look one after the other at what the one before has left.
final class Selection {
    private final Kernel[] terms;

    private Selection(Kernel[] terms) {
        this.terms = terms;
    }

    /// Nothing if a predicate can fail.
    static Optional<Selection> thatCannotFail(List<Typed> predicates, Kernels kernels) {
        Selection selection = of(predicates, kernels);
        for (Kernel term : selection.terms) {
            if (term instanceof RowKernel) {
                return Optional.empty();
            }
        }
        return Optional.of(selection);
    }

    static Selection of(List<Typed> predicates, Kernels kernels) {
        List<Kernel> terms = new ArrayList<>();
        for (Typed predicate : predicates) {
            switch (kernels.of(predicate)) {
                case LogicKernel(_, LogicKernel.Logic logic, List<Kernel> parts)
                        when logic == LogicKernel.Logic.AND ->
                        terms.addAll(parts);
                case Kernel whole -> terms.add(whole);
            }
        }
        return new Selection(terms.toArray(Kernel[]::new));
    }

    /// Moves the rows that are left to the front of `rows[0 .. count)` and returns how many.
    int apply(BatchRun run, int[] rows, int count) {
        int left = count;
        for (Kernel term : terms) {
            if (left == 0) {
                return 0;
            }
            var holds = (LongVector) term.eval(run, rows, left);
            long[] values = holds.values();
            int kept = 0;
            for (int index = 0; index < left; index++) {
                int row = rows[index];
                if (values[row] != 0 && !holds.isNull(row)) {
                    rows[kept++] = row;
                }
            }
            left = kept;
        }
        return left;
    }
}

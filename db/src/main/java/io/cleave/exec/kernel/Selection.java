package io.cleave.exec.kernel;

import io.cleave.typed.Typed;
import io.cleave.value.LongVector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Keeps the rows of a batch for which all predicates are true. Terms of an AND that cannot fail
/// are applied one after the other, each to the rows that the term before has kept.
public final class Selection {
    private final Kernel[] terms;

    private Selection(Kernel[] terms) {
        this.terms = terms;
    }

    /// Empty if a predicate can fail.
    public static Optional<Selection> thatCannotFail(List<Typed> predicates, Kernels kernels) {
        Selection selection = of(predicates, kernels);
        for (Kernel term : selection.terms) {
            if (term instanceof RowKernel) {
                return Optional.empty();
            }
        }
        return Optional.of(selection);
    }

    public static Selection of(List<Typed> predicates, Kernels kernels) {
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

    /// Moves the kept rows to the front of `rows[0 .. count)` and returns their number.
    public int apply(KernelRun run, int[] rows, int count) {
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

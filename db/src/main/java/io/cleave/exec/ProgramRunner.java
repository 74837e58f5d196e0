package io.cleave.exec;

import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.exec.eval.RunContext;
import io.cleave.exec.spill.Checkpoint;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.Rows;
import io.cleave.exec.spill.SpillFolder;
import io.cleave.memory.MemoryPool;
import io.cleave.plan.DataSteps;
import io.cleave.plan.DataSteps.Prior;
import io.cleave.plan.Program;
import io.cleave.plan.Program.Step;
import io.cleave.plan.StepNames;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// Runs the data steps of programs. The operators of a step are prepared by its first run and kept
/// with the step. A runner has no state of its own: any number of threads may share it.
public final class ProgramRunner {
    private final RunOptions options;
    private final Workers workers;
    private final MemoryPool memory;
    private final @Nullable SpillFolder spill;

    /// Every run uses only the thread of its caller, takes its memory from the pool, and cannot
    /// spill to disk.
    public ProgramRunner(RunOptions options, MemoryPool memory) {
        this.options = options;
        this.memory = memory;
        workers = Workers.none();
        spill = null;
    }

    /// All runs together may use `threads` threads in addition to those of their callers. Rows that
    /// do not fit into memory go to the spill folder.
    public ProgramRunner(
            RunOptions options,
            MemoryPool memory,
            Env env,
            int threads,
            Optional<SpillFolder> spill) {
        this.options = options;
        this.memory = memory;
        workers = new Workers(env, threads);
        this.spill = spill.orElse(null);
    }

    /// Like [#run(Program, Transaction, Map, LongSupplier, RandomGenerator, String, ResultSink,
    /// Runnable)], without a user and without a check that could end the run.
    public void run(
            Program program,
            Transaction transaction,
            Map<String, Value> parameters,
            LongSupplier clock,
            RandomGenerator random,
            ResultSink sink) {
        run(program, transaction, parameters, clock, random, "", sink, () -> {});
    }

    /// Runs the program inside the transaction, which is neither committed nor rolled back here.
    /// The parameters must have the types that the program declares. The program must not have
    /// scheme steps. `check` is called from time to time and throws if the run should end. `clock`
    /// returns the time in microseconds; it is called at most once. `user` is the name of the user
    /// who runs the program, or empty.
    public void run(
            Program program,
            Transaction transaction,
            Map<String, Value> parameters,
            LongSupplier clock,
            RandomGenerator random,
            String user,
            ResultSink sink,
            Runnable check) {
        var context = new RunContext(parameters, clock, random, user, new Checkpoint(check));
        List<Step> steps = program.steps();
        try (var run = new Running(transaction, context, workers, options, memory, spill)) {
            for (int index = 0; index < steps.size(); index++) {
                run(program, steps.get(index), run, sink);
            }
        }
    }

    private static void run(Program program, Step step, Running run, ResultSink sink) {
        switch (step) {
            case DataSteps.Select select -> select(program, select, run, sink);
            case DataSteps.Write write -> write(program, write, run, sink);
            case DataSteps.Explained(String text, int result) -> {
                sink.begin(result, program.results().get(result));
                sink.row(result, new Value[] {Value.text(text)});
                sink.end(result);
            }
            case Program.DataStep other -> Check.that(false, "unknown step %s", other);
            case Program.SchemeStep scheme ->
                    Check.that(false, "a scheme step in a run: %s", scheme);
        }
    }

    /// A step with compiled expressions.
    private record PreparedSelect(List<PreparedPrior> priors, Operator rows) {}

    private record PreparedWrite(List<PreparedPrior> priors, RowWriter writer) {}

    private record PreparedPrior(Prior prior, Operator rows) {}

    private static List<PreparedPrior> prepare(List<Prior> priors) {
        return priors.stream()
                .map(prior -> new PreparedPrior(prior, Operators.of(prior.rows())))
                .toList();
    }

    private static PreparedSelect prepared(DataSteps.Select step) {
        return new PreparedSelect(prepare(step.priors()), Operators.of(step.rows()));
    }

    private static void select(
            Program program, DataSteps.Select step, Running run, ResultSink sink) {
        PreparedSelect prepared =
                step.memo().get(PreparedSelect.class, step, ProgramRunner::prepared);
        runPriors(prepared.priors(), run);
        OptionalInt result = step.result();
        if (result.isPresent()) {
            sink.begin(result.getAsInt(), program.results().get(result.getAsInt()));
        }
        try (Rows pulled = prepared.rows().open(run)) {
            for (Value[] row = pulled.next(); row != null; row = pulled.next()) {
                run.checkpoint().pass();
                if (result.isPresent()) {
                    sink.row(result.getAsInt(), row);
                }
            }
        }
        if (result.isPresent()) {
            sink.end(result.getAsInt());
        }
    }

    private static void write(Program program, DataSteps.Write step, Running run, ResultSink sink) {
        if (!run.transaction().isolation().writes()) {
            throw StepNames.notInReadOnly(step);
        }
        PreparedWrite prepared =
                step.memo()
                        .get(
                                PreparedWrite.class,
                                () ->
                                        new PreparedWrite(
                                                prepare(step.priors()), new RowWriter(step)));
        runPriors(prepared.priors(), run);
        if (step.result().isEmpty()) {
            prepared.writer().run(run, _ -> {});
            return;
        }
        int result = step.result().getAsInt();
        sink.begin(result, program.results().get(result));
        prepared.writer().run(run, row -> sink.row(result, row));
        sink.end(result);
    }

    private static void runPriors(List<PreparedPrior> priors, Running run) {
        for (PreparedPrior prepared : priors) {
            try (Rows rows = prepared.rows().open(run)) {
                Prior prior = prepared.prior();
                Value result =
                        switch (prior.shape()) {
                            case SCALAR -> {
                                Value[] row = rows.next();
                                yield row == null ? Value.Null.NULL : row[0];
                            }
                            case EXISTS -> Value.bool(rows.next() != null);
                            case LIST -> list(rows, run);
                        };
                run.context().setSubQuery(prior.slot(), result);
            }
        }
    }

    private static Value list(Rows rows, Running run) {
        List<Value> items = new ArrayList<>();
        // Never closed: expressions may use the list until the run ends.
        var memory = new QueryMemory.Share(run.memory());
        for (Value[] row = rows.next(); row != null; row = rows.next()) {
            run.checkpoint().pass();
            memory.require(QueryMemory.bytes(row));
            items.add(row[0]);
        }
        return Value.items(items);
    }
}

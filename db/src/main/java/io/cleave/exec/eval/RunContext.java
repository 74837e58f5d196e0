package io.cleave.exec.eval;

import io.cleave.base.Check;
import io.cleave.exec.spill.Checkpoint;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.typed.ScalarFunction;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The environment of expressions in one run: the parameters, the results of subqueries that have
/// run, the current time, and random numbers. The time is fixed when it is first asked for.
///
/// Threads: the one that runs the query.
public final class RunContext implements ScalarFunction.Run {
    /// The default value of the field. Writing another one would cost each run a memory fence.
    private static final long NOT_ASKED = 0;

    /// The field stores the time XOR this number, so that 0 is never a time.
    private static final long AWAY = Long.MIN_VALUE;

    private static final AtomicLongFieldUpdater<RunContext> NOW =
            AtomicLongFieldUpdater.newUpdater(RunContext.class, "now");

    private static final @Nullable Value[] NONE = {};

    /// A function takes about as long for this number of list items as an operator takes for one
    /// row.
    private static final int ITEMS_A_ROW = 16;

    /// The size of a list item and of the reference to it.
    private static final int ITEM_BYTES = 24 + 4;

    /// Memory is requested for this number of items at once.
    private static final int ITEMS_A_COUNT = 16 << 10;

    private final Map<String, Value> parameters;
    private final LongSupplier clock;
    private final RandomGenerator random;
    private final String user;
    private final Checkpoint checkpoint;

    /// The context that all threads of the run ask for the time; null if it is this one.
    private final @Nullable RunContext first;

    private volatile long now;

    /// By slot. The length is one more than the highest slot that was set.
    private @Nullable Value[] subQueries = NONE;

    /// Steps of [#pass] that have not been passed to the checkpoint yet.
    private long passedSteps;

    /// The memory in which lists are counted; null if they are not counted.
    private @Nullable Supplier<QueryMemory> memoryOfRun;

    private QueryMemory.@Nullable Share lists;

    /// The number of items that the running expressions have created. `countedItems` of them are
    /// counted in the memory.
    private long keptItems;

    private long countedItems;

    /// Whether [#once] is running.
    private boolean worksOut;

    /// Objects that are made once in a run, by owner; null in most runs.
    private @Nullable Map<Object, Object> remembered;

    /// Names of parameters begin with a dollar sign. The map must not be changed afterwards. The
    /// run has no check that could end it.
    public RunContext(Map<String, Value> parameters, LongSupplier clock, RandomGenerator random) {
        this(parameters, clock, random, "", new Checkpoint(() -> {}));
    }

    public RunContext(
            Map<String, Value> parameters,
            LongSupplier clock,
            RandomGenerator random,
            String user,
            Checkpoint checkpoint) {
        this(parameters, clock, random, user, checkpoint, null);
    }

    private RunContext(
            Map<String, Value> parameters,
            LongSupplier clock,
            RandomGenerator random,
            String user,
            Checkpoint checkpoint,
            @Nullable RunContext first) {
        this.checkpoint = checkpoint;
        this.first = first;
        this.parameters = parameters;
        this.clock = clock;
        this.random = random;
        this.user = user;
    }

    /// A context for another thread of the run. All subqueries must have run. Expressions with
    /// random numbers must not be evaluated with it.
    public RunContext fork() {
        RunContext asked = first == null ? this : first;
        var fork = new RunContext(parameters, clock, random, user, checkpoint.fork(), asked);
        fork.subQueries = subQueries.clone();
        fork.memoryOfRun = memoryOfRun;
        return fork;
    }

    /// For expressions that may work long, such as lambdas, which are called many times.
    public Checkpoint checkpoint() {
        return checkpoint;
    }

    /// Passes the checkpoint in proportion to the number of items of the value, and returns the
    /// value.
    Value passItems(Value value) {
        switch (value) {
            case Value.Items(List<Value> items) -> checkpoint.pass(items.size() / ITEMS_A_ROW);
            case Value.Pairs(List<Value.Pair> pairs) -> checkpoint.pass(pairs.size() / ITEMS_A_ROW);
            default -> {}
        }
        return value;
    }

    @Override
    public void pass(int steps) {
        passedSteps += steps;
        if (passedSteps >= ITEMS_A_ROW) {
            checkpoint.pass((int) Math.min(passedSteps / ITEMS_A_ROW, Integer.MAX_VALUE / 2));
            passedSteps %= ITEMS_A_ROW;
        }
    }

    /// Counts lists in the given memory from now on.
    public void countIn(Supplier<QueryMemory> memory) {
        memoryOfRun = memory;
    }

    /// The number of items that the running expressions have created so far.
    long keptItems() {
        return keptItems;
    }

    /// Called at the end of an expression. `before` is the number of items at its beginning.
    void forgetItems(long before) {
        keptItems = before;
        QueryMemory.Share counted = lists;
        if (counted != null && countedItems > before) {
            counted.add(-(countedItems - before) * ITEM_BYTES);
            countedItems = before;
        }
    }

    /// Counts the items of a value that a function has created.
    void keepItems(Value made) {
        switch (made) {
            case Value.Items(List<Value> items) -> keep(items.size());
            case Value.Pairs(List<Value.Pair> pairs) -> keep(2L * pairs.size());
            default -> {}
        }
    }

    /// Counts the texts in a value that a lambda has created for an item of a list.
    void keepTexts(Value made) {
        long bytes = textBytes(made);
        if (bytes > 0) {
            keep(bytes / ITEM_BYTES);
        }
    }

    /// The size of a text, or of all texts in a tuple or struct.
    private static long textBytes(Value made) {
        return switch (made) {
            case Value.Text(String text) -> text.length();
            case Value.Binary(var data) -> data.length();
            case Value.Just(Value item) -> textBytes(item);
            case Value.Items(List<Value> items) -> {
                long bytes = 0;
                for (Value item : items) {
                    bytes +=
                            switch (item) {
                                case Value.Text(String text) -> text.length();
                                case Value.Binary(var data) -> data.length();
                                default -> 0;
                            };
                }
                yield bytes;
            }
            default -> 0;
        };
    }

    @Override
    public void keep(long items) {
        keptItems += items;
        Supplier<QueryMemory> memory = memoryOfRun;
        if (keptItems - countedItems >= ITEMS_A_COUNT && memory != null) {
            QueryMemory.Share counted = lists;
            if (counted == null) {
                counted = new QueryMemory.Share(memory.get());
                lists = counted;
            }
            long more = keptItems - countedItems;
            countedItems = keptItems;
            counted.require(more * ITEM_BYTES);
        }
    }

    /// A value that is constant throughout the run. It is computed when it is first asked for, and
    /// kept. Constants that are computed as parts of another one are not kept.
    Value once(Object owner, Supplier<Value> work) {
        if (worksOut) {
            return work.get();
        }
        worksOut = true;
        try {
            return remember(owner, Value.class, () -> countedOnce(work.get()));
        } finally {
            worksOut = false;
        }
    }

    /// A list is kept until the end of the run and stays counted. A string has its own bound.
    private Value countedOnce(Value value) {
        Supplier<QueryMemory> memory = memoryOfRun;
        boolean isList = value instanceof Value.Items || value instanceof Value.Pairs;
        if (memory != null && isList) {
            long bytes = QueryMemory.bytes(value);
            if (bytes >= (long) ITEMS_A_COUNT * ITEM_BYTES) {
                new QueryMemory.Share(memory.get()).require(bytes);
            }
        }
        return value;
    }

    Value parameter(String name) {
        Value value = parameters.get(name);
        if (value == null) {
            throw new IllegalStateException("no parameter " + name + " in this run");
        }
        return value;
    }

    public void setSubQuery(int slot, Value result) {
        if (slot >= subQueries.length) {
            subQueries = Arrays.copyOf(subQueries, slot + 1);
        }
        subQueries[slot] = result;
    }

    Value subQuery(int slot) {
        Value result = slot < subQueries.length ? subQueries[slot] : null;
        Check.that(result != null, "subquery %d has not run", slot);
        return Objects.requireNonNull(result);
    }

    @Override
    public long nowMicros() {
        if (first != null) {
            return first.nowMicros();
        }
        if (now == NOT_ASKED) {
            NOW.compareAndSet(this, NOT_ASKED, clock.getAsLong() ^ AWAY);
        }
        return now ^ AWAY;
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public double randomDouble() {
        return random.nextDouble();
    }

    @Override
    public long randomLong() {
        return random.nextLong();
    }

    @Override
    public <T> T remember(Object owner, Class<T> kind, Supplier<T> maker) {
        if (remembered == null) {
            remembered = new HashMap<>();
        }
        Object known = remembered.get(owner);
        if (known == null) {
            known = maker.get();
            remembered.put(owner, known);
        }
        return kind.cast(known);
    }
}

package io.cleave.exec;

import io.cleave.analysis.ScalarFunction;
import io.cleave.base.Check;
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

/// What one run of a query knows beside its rows: the parameters, the results of subqueries that
/// have run, the time, fixed when it is first asked for, and chance.
///
/// Threads: the one that runs the query.
public final class RunContext implements ScalarFunction.Run {
    /// What the field has by itself: to write it would cost a run a fence.
    private static final long NOT_ASKED = 0;

    /// What is stored of a time differs from it by this, so that 0 is no time.
    private static final long AWAY = Long.MIN_VALUE;

    private static final AtomicLongFieldUpdater<RunContext> NOW =
            AtomicLongFieldUpdater.newUpdater(RunContext.class, "now");

    private static final @Nullable Value[] NONE = {};

    /// So many items of a list take a function as long as a row takes an operator.
    private static final int ITEMS_A_ROW = 16;

    /// An item of a list, and its place in it.
    private static final int ITEM_BYTES = 24 + 4;

    /// The memory is asked for so many items at once.
    private static final int ITEMS_A_COUNT = 16 << 10;

    private final Map<String, Value> parameters;
    private final LongSupplier clock;
    private final RandomGenerator random;
    private final String user;
    private final Checkpoint checkpoint;

    /// The one that all threads of the run ask for the time; null if it is this one.
    private final @Nullable RunContext first;

    private volatile long now;

    /// By slot; as long as the highest that was set.
    private @Nullable Value[] subQueries = NONE;

    /// Of [#pass], since it last came to a row.
    private long passedSteps;

    /// Where lists are counted; null where nobody counts.
    private @Nullable Supplier<QueryMemory> memoryOfRun;

    private QueryMemory.@Nullable Share lists;

    /// Items that the expressions at work have made, and how many of them are counted.
    private long keptItems;

    private long countedItems;

    /// Whether [#once] is at work.
    private boolean worksOut;

    /// Things worked out once in the run, by who asked; most runs have none.
    private @Nullable Map<Object, Object> remembered;

    /// Names of parameters begin with the dollar. The map is given away. Nothing ends the run.
    public RunContext(Map<String, Value> parameters, LongSupplier clock, RandomGenerator random) {
        this(parameters, clock, random, "", new Checkpoint(() -> {}));
    }

    RunContext(
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

    /// The same for another thread of the run, once its subqueries have run. It draws no chance.
    RunContext fork() {
        RunContext asked = first == null ? this : first;
        var fork = new RunContext(parameters, clock, random, user, checkpoint.fork(), asked);
        fork.subQueries = subQueries.clone();
        fork.memoryOfRun = memoryOfRun;
        return fork;
    }

    /// To be passed where expressions work long: a lambda is called again and again.
    Checkpoint checkpoint() {
        return checkpoint;
    }

    /// Passes the checkpoint as often as the value has items to go over, and gives it back.
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

    /// Lists are counted there from now on.
    void countIn(Supplier<QueryMemory> memory) {
        memoryOfRun = memory;
    }

    /// Items that the expressions at work have made so far.
    long keptItems() {
        return keptItems;
    }

    /// The expression has ended before which there were so many.
    void forgetItems(long before) {
        keptItems = before;
        QueryMemory.Share counted = lists;
        if (counted != null && countedItems > before) {
            counted.add(-(countedItems - before) * ITEM_BYTES);
            countedItems = before;
        }
    }

    /// Counts the items of what a function has made.
    void keepItems(Value made) {
        switch (made) {
            case Value.Items(List<Value> items) -> keep(items.size());
            case Value.Pairs(List<Value.Pair> pairs) -> keep(2L * pairs.size());
            default -> {}
        }
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

    /// What is the same throughout the run: worked out when it is first asked for, and kept. What
    /// it is made of is not.
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

    /// A list lives as long as the run, and stays counted. A string has a bound of its own.
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

    public Value parameter(String name) {
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

    public Value subQuery(int slot) {
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

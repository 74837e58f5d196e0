package io.cleave.yt;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.command.DataType;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.TreeSize;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The command `execute_batch`: runs several commands, some of them at the same time. The answer is
/// a list of their answers and errors. Each item is the same as if the command had run alone.
final class ExecuteBatch implements Command {
    static final String NAME = "execute_batch";

    /// Limit of the commands of one batch.
    static final int MAX_REQUESTS = 10_000;

    /// Limit of the commands of one batch that run at the same time, whatever the client asks for.
    private static final int MAX_CONCURRENCY = 8;

    /// Limit of the memory of all answers of a batch.
    private static final long MAX_RESULT_BYTES = 64L << 20;

    private static final Duration CHECK = Duration.ofMillis(100);
    private static final int USUAL_CONCURRENCY = 50;

    private final Env env;
    private final MemoryPool results;
    private final CommandTable commands;
    private final CommandRunner runner;

    ExecuteBatch(Env env, MemoryPool results, CommandTable commands, CommandRunner runner) {
        this.env = env;
        this.results = results;
        this.commands = commands;
        this.runner = runner;
    }

    @Override
    public CommandDescriptor descriptor() {
        return CommandDescriptor.change(NAME);
    }

    @Override
    public void run(CommandCall call) {
        YsonNode requests = call.parameters().require("requests");
        if (!(requests.bare() instanceof YsonNode.Items(List<YsonNode> items))) {
            throw new YtException(YtCodes.GENERIC, "Parameter /requests must be a list");
        }
        if (items.size() > MAX_REQUESTS) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "A batch may have up to %d requests, not %d"
                            .formatted(MAX_REQUESTS, items.size()));
        }
        long concurrency = call.parameters().number("concurrency").orElse((long) USUAL_CONCURRENCY);
        if (concurrency <= 0) {
            throw new YtException(YtCodes.GENERIC, "Parameter /concurrency must be positive");
        }
        var batch = new Batch(call, items);
        batch.run((int) Math.min(Math.min(concurrency, MAX_CONCURRENCY), items.size()));
        call.answer("results", YsonNode.list(batch.results()));
    }

    /// One batch. Each worker takes the next request until none is left.
    private final class Batch {
        private final CommandCall call;
        private final List<YsonNode> requests;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition ended = lock.newCondition();

        @GuardedBy("lock")
        private final @Nullable YsonNode[] answers;

        @GuardedBy("lock")
        private int next;

        @GuardedBy("lock")
        private int working;

        @GuardedBy("lock")
        private long resultBytes;

        Batch(CommandCall call, List<YsonNode> requests) {
            this.call = call;
            this.requests = requests;
            this.answers = new YsonNode[requests.size()];
        }

        void run(int workers) {
            lock.lock();
            try {
                working = workers;
            } finally {
                lock.unlock();
            }
            try {
                for (int worker = 1; worker < workers; worker++) {
                    env.spawn("yt-batch", this::work);
                }
                work();
                awaitWorkers();
            } finally {
                lock.lock();
                try {
                    results.give(resultBytes);
                    resultBytes = 0;
                } finally {
                    lock.unlock();
                }
            }
        }

        private void work() {
            try {
                for (int index = take(); index >= 0; index = take()) {
                    YsonNode answer = answer(requests.get(index));
                    put(index, answer);
                }
            } finally {
                lock.lock();
                try {
                    working--;
                    ended.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        }

        private int take() {
            lock.lock();
            try {
                return next < requests.size() ? next++ : -1;
            } finally {
                lock.unlock();
            }
        }

        private void put(int index, YsonNode answer) {
            long bytes = TreeSize.of(answer);
            lock.lock();
            try {
                boolean fits = resultBytes + bytes <= MAX_RESULT_BYTES && results.tryTake(bytes);
                answers[index] = fits ? answer : error(tooLarge());
                resultBytes += fits ? bytes : 0;
            } finally {
                lock.unlock();
            }
        }

        private void awaitWorkers() {
            boolean interrupted = false;
            lock.lock();
            try {
                while (working > 0) {
                    interrupted |= env.awaitUninterrupted(ended, CHECK);
                }
            } finally {
                lock.unlock();
                Env.restoreInterrupt(interrupted);
            }
        }

        List<YsonNode> results() {
            lock.lock();
            try {
                List<YsonNode> all = new ArrayList<>();
                for (@Nullable YsonNode answer : Arrays.asList(answers)) {
                    all.add(answer == null ? YsonNode.Members.EMPTY : answer);
                }
                return all;
            } finally {
                lock.unlock();
            }
        }

        private YsonNode answer(YsonNode request) {
            try {
                call.cancellation().check();
                return runOne(call, request);
            } catch (YtException e) {
                return error(e.error());
            } catch (StatusException e) {
                return error(StatusErrors.of(e));
            }
        }
    }

    private static YtError tooLarge() {
        return YtError.of(
                YtCodes.REQUEST_QUEUE_SIZE_LIMIT,
                "The answers of a batch may take up to %d bytes of memory, and the server's memory for results may be in use; send smaller batches"
                        .formatted(MAX_RESULT_BYTES));
    }

    private static YsonNode error(YtError error) {
        return YsonNode.map().with("error", ErrorAnswer.node(error)).build();
    }

    private YsonNode runOne(CommandCall batch, YsonNode request) {
        if (!(request.bare() instanceof YsonNode.Members members)) {
            throw new YtException(YtCodes.GENERIC, "A request of a batch must be a map");
        }
        var fields = new CommandParameters(members);
        String name = fields.requireText("command").toLowerCase(Locale.ROOT);
        YsonNode parameters = fields.find("parameters").orElse(YsonNode.Members.EMPTY);
        if (!(parameters.bare() instanceof YsonNode.Members given)) {
            throw new YtException(YtCodes.GENERIC, "Parameter /parameters must be a map");
        }
        Command command =
                commands.find(batch.apiVersion(), name)
                        .orElseThrow(
                                () ->
                                        new YtException(
                                                YtCodes.GENERIC,
                                                "Unknown command \"%s\"".formatted(name)));
        CommandDescriptor known = command.descriptor();
        checkType(known, "input", known.input());
        checkType(known, "output", known.output());
        if (name.equals(NAME)) {
            throw new YtException(YtCodes.GENERIC, "A batch cannot be part of a batch");
        }
        var call = new BatchCall(batch, new CommandParameters(given), fields.find("input"));
        runner.run(command, call, call::answered);
        Optional<YsonNode> answer = call.answered();
        return answer.isPresent() && known.output() != DataType.NULL
                ? YsonNode.map().with("output", answer.get()).build()
                : YsonNode.Members.EMPTY;
    }

    private static void checkType(CommandDescriptor known, String what, DataType type) {
        if (type != DataType.NULL && type != DataType.STRUCTURED) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Command \"%s\" cannot be part of a batch since it has inappropriate %s type \"%s\""
                            .formatted(known.name(), what, type.name().toLowerCase(Locale.ROOT)));
        }
    }
}

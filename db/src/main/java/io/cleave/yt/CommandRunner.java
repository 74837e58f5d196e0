package io.cleave.yt;

import io.cleave.base.StatusException;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.DataType;
import io.cleave.yt.command.NeedsThreadException;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.util.Optional;
import java.util.function.Supplier;

/// Runs commands, whether they came alone or in a batch. Every failure is a [YtException], and a
/// change with a mutation id is made once.
///
/// Threads: any.
final class CommandRunner {
    private static final Logger LOG = System.getLogger(CommandRunner.class.getName());

    private final MutationCache mutations;

    CommandRunner(MutationCache mutations) {
        this.mutations = mutations;
    }

    /// Runs the command. If it answers with a value, `answer` returns the value after the run, and
    /// `setAnswer` is called with one that was kept.
    void run(Command command, CommandCall call, Supplier<Optional<YsonNode>> answer) {
        Optional<String> mutation = mutationId(command, call);
        try {
            if (mutation.isEmpty()) {
                guarded(command, call);
                return;
            }
            YsonNode value =
                    mutations.once(
                            call.caller(),
                            mutation.get(),
                            call.parameters().flag("retry", false),
                            call.cancellation(),
                            () -> {
                                guarded(command, call);
                                return answer.get().orElse(YsonNode.Members.EMPTY);
                            });
            call.answer(value);
        } catch (StatusException e) {
            throw withPath(StatusErrors.of(e), call).exception();
        } catch (YtException e) {
            throw withPath(e.error(), call).exception();
        }
    }

    /// A bug of ours is not the client's mistake, but clients must not repeat what caused it.
    private static void guarded(Command command, CommandCall call) {
        try {
            command.run(call);
        } catch (StatusException e) {
            throw StatusErrors.of(e).exception();
        } catch (YtException | UncheckedIOException | NeedsThreadException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            LOG.log(
                    Logger.Level.ERROR,
                    "the command " + command.descriptor().name() + " failed",
                    e);
            throw new YtException(
                    YtCodes.GENERIC,
                    "Internal error of the server: " + e.getClass().getSimpleName());
        }
    }

    private static Optional<String> mutationId(Command command, CommandCall call) {
        boolean isKept =
                command.descriptor().isVolatile()
                        && command.descriptor().input() != DataType.TABULAR
                        && command.descriptor().output() != DataType.TABULAR;
        return isKept
                ? call.parameters().text("mutation_id").filter(id -> !id.equals("0-0-0-0"))
                : Optional.empty();
    }

    private static YtError withPath(YtError error, CommandCall call) {
        if (error.attributes().member("path").isPresent()) {
            return error;
        }
        return call.parameters()
                .find("path")
                .map(path -> error.with("path", path.bare()))
                .orElse(error);
    }
}

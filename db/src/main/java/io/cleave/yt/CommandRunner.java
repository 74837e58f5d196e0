package io.cleave.yt;

import io.cleave.base.Bytes;
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
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Runs commands that came alone or in a batch. Every failure becomes a [YtException]. A change
/// with a mutation id is made only once.
///
/// Threads: any.
final class CommandRunner {
    private static final Logger LOG = System.getLogger(CommandRunner.class.getName());

    private static final List<String> PATHS =
            List.of("path", "source_path", "destination_path", "target_path", "link_path");

    private static final int MAX_PATH_BYTES = 64 << 10;
    private static final int MAX_MUTATION_ID_CHARS = 256;

    private final MutationCache mutations;

    CommandRunner(MutationCache mutations) {
        this.mutations = mutations;
    }

    /// Runs the command. If the command answers with a value, `answer` returns it after the run. If
    /// an earlier run has left an answer, the command does not run, and `setAnswer` is called with
    /// the kept answer.
    void run(Command command, CommandCall call, Supplier<Optional<YsonNode>> answer) {
        checkPaths(call);
        Optional<String> mutation = mutationId(command, call);
        try {
            if (mutation.isEmpty()) {
                guarded(command, call);
                return;
            }
            YsonNode value =
                    mutations.once(
                            call.caller(),
                            command.descriptor().name(),
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

    /// Runs the command, and turns unexpected exceptions into errors. These are bugs of the server,
    /// but clients must not retry a request that causes one.
    private static void guarded(Command command, CommandCall call) {
        try {
            command.run(call);
        } catch (StatusException e) {
            throw StatusErrors.of(e).exception();
        } catch (YtException | UncheckedIOException | NeedsThreadException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            throw internal(command, e);
        }
    }

    static YtException internal(Command command, Throwable bug) {
        LOG.log(Logger.Level.ERROR, "the command " + command.descriptor().name() + " failed", bug);
        return new YtException(
                YtCodes.GENERIC, "Internal error of the server: " + bug.getClass().getSimpleName());
    }

    /// Refuses paths that are not UTF-8. Errors quote paths, and such a name could look like
    /// another one in a message.
    private static void checkPaths(CommandCall call) {
        for (String name : PATHS) {
            Optional<YsonNode> path = call.parameters().find(name);
            if (path.isPresent() && path.get().bare() instanceof YsonNode.Text(Bytes text)) {
                if (text.length() > MAX_PATH_BYTES) {
                    throw new YtException(
                            YtCodes.GENERIC,
                            "Parameter /%s may have up to %d bytes, not %d"
                                    .formatted(name, MAX_PATH_BYTES, text.length()));
                }
                if (!isUtf8(text)) {
                    throw new YtException(
                            YtCodes.GENERIC, "Parameter /%s is not UTF-8".formatted(name));
                }
            }
        }
    }

    private static boolean isUtf8(Bytes text) {
        for (byte b : text.array()) {
            if (b < 0) {
                return Bytes.utf8(text.utf8()).equals(text);
            }
        }
        return true;
    }

    private static Optional<String> mutationId(Command command, CommandCall call) {
        boolean isKept =
                command.descriptor().isVolatile()
                        && command.descriptor().input() != DataType.TABULAR
                        && command.descriptor().output() != DataType.TABULAR;
        if (!isKept) {
            return Optional.empty();
        }
        Optional<String> id =
                call.parameters().text("mutation_id").filter(text -> !text.equals("0-0-0-0"));
        if (id.filter(text -> text.length() > MAX_MUTATION_ID_CHARS).isPresent()) {
            throw new YtException(YtCodes.GENERIC, "Parameter /mutation_id is not an id");
        }
        return id;
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

package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.yql.Parser;
import io.cleave.yql.TokenCount;

import java.time.Duration;
import java.util.function.Supplier;

/// The memory that texts take while they are compiled. In YQL, nearly all of it is the syntax tree:
/// one number in a list becomes fifteen nodes, one for each level of operators. So a text of 128 KB
/// may take a hundred MB for a moment.
///
/// The memory is taken from the pool for runs, at most three quarters of it, before the text is
/// parsed. If it is in use, the text waits. Runs, which need less, do not wait behind it.
///
/// Threads: any that may wait.
final class CompileMemory {
    /// Measured: 800 bytes for each token of a list of names, whose syntax tree is the largest. The
    /// rest is for the statements that are made of the tree.
    private static final int BYTES_PER_TOKEN = 1000;

    /// The same for YTsaurus' language, whose parser makes no syntax tree.
    private static final int BYTES_PER_YT_TOKEN = 300;

    /// A text with fewer tokens takes nothing from the pool, so it need not wait while queries use
    /// all of it. Few of these are compiled at the same time: [Env#deep] has few threads.
    private static final int FEW_TOKENS = 4000;

    /// A text of YTsaurus' language takes memory if it has this length, even with few tokens: it
    /// may have a long string in many places.
    private static final int MANY_CHARS = 1 << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// How often a waiting text looks for free memory.
    private static final Duration LOOK = Duration.ofMillis(10);

    private final Env env;
    private final MemoryPool runs;

    /// Bounds the part of `runs` that compilations take, so that runs always have the rest.
    private final MemoryPool compiles;

    CompileMemory(MemoryPool runs, Env env) {
        this.env = env;
        this.runs = runs;
        compiles = new MemoryPool("compiling", Math.max(1, runs.limitBytes() / 4 * 3), env);
    }

    /// Runs `work`, which parses a text of YQL.
    <T> T during(String text, Supplier<T> work) {
        return during(bytes(text), work);
    }

    /// Runs `work`, which parses a text of YTsaurus' language.
    <T> T duringYt(QueryText text, Supplier<T> work) {
        return during(ytBytes(text), work);
    }

    private <T> T during(long bytes, Supplier<T> work) {
        if (bytes == 0) {
            return work.get();
        }
        if (bytes > compiles.limitBytes()) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "Compiling this text takes about %d bytes of memory; with this heap, one text may take at most %d. Send values as parameters, split the text, or give the server a larger heap"
                            .formatted(bytes, compiles.limitBytes()));
        }
        if (!compiles.await(bytes, PATIENCE, () -> {})) {
            throw runs.exhausted("Compiling this text", bytes);
        }
        try {
            awaitRuns(bytes);
            try {
                return work.get();
            } finally {
                runs.give(bytes);
            }
        } finally {
            compiles.give(bytes);
        }
    }

    /// Takes the bytes from the pool for runs, and leaves a part of it free for them.
    private void awaitRuns(long bytes) {
        long until = env.nanoTime() + PATIENCE.toNanos();
        while (true) {
            boolean isOver = env.nanoTime() - until >= 0;
            // The pool counts refusals. A text that still waits is none, however often it looks.
            boolean mayFit = runs.usedBytes() + bytes <= compiles.limitBytes();
            if ((mayFit || isOver) && runs.tryTake(bytes, freeBytes())) {
                return;
            }
            if (isOver) {
                throw runs.exhausted("Compiling this text", bytes);
            }
            try {
                env.sleep(LOOK);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw runs.exhausted("Compiling this text", bytes);
            }
        }
    }

    private long freeBytes() {
        return runs.limitBytes() - compiles.limitBytes();
    }

    /// The memory of the views that a text uses.
    Views views() {
        return new Views();
    }

    /// The memory of the views of one text. It is kept until the text has been compiled.
    ///
    /// Threads: one at a time.
    final class Views implements AutoCloseable {
        private long takenBytes;

        /// Called before the view's text is parsed. It does not wait: it may run on one of the few
        /// threads with a large stack.
        void take(String text) {
            long bytes = bytes(text);
            if (bytes > 0 && !runs.tryTake(bytes, freeBytes())) {
                throw runs.exhausted("Compiling a view of this text", bytes);
            }
            takenBytes += bytes;
        }

        @Override
        public void close() {
            runs.give(takenBytes);
        }
    }

    /// A value that takes the place of several placeholders is parsed for each of them.
    private static long ytBytes(QueryText text) {
        long chars = text.expandedChars();
        if (chars < FEW_TOKENS) {
            return 0;
        }
        long tokens = TokenCount.mostOf(text.text());
        for (QueryText.Insertion insertion : text.insertions()) {
            tokens += (long) TokenCount.mostOf(insertion.text()) * insertion.count();
        }
        return tokens < FEW_TOKENS && chars < MANY_CHARS ? 0 : BYTES_PER_YT_TOKEN * tokens + chars;
    }

    private static long bytes(String text) {
        // A longer text is refused before it is parsed.
        if (text.length() < FEW_TOKENS
                || text.length() > Parser.MAX_TEXT_LENGTH
                || TokenCount.mostOf(text) < FEW_TOKENS) {
            return 0;
        }
        int tokens = TokenCount.of(text);
        return tokens < FEW_TOKENS ? 0 : (long) BYTES_PER_TOKEN * tokens;
    }
}

package io.cleave.disk;

import io.cleave.base.NativeCalls;
import io.cleave.base.SystemEnv;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Tells the kernel which pages of a mapped file are read next, with the C library's `madvise`.
///
/// Without a hint the kernel guesses: a fault on one page of a mapping reads as much around it as
/// the disk's read-ahead setting says, which may be megabytes. A page that was requested before it
/// is touched causes no such fault, and all pages of one hint are read in one request: see
/// `docs/decisions/0021-blocks-are-asked-for-before-they-are-touched.md`. Threads: any.
final class PageHints {
    /// `MADV_WILLNEED`, which is the same number on Linux, macOS and the BSDs.
    private static final int WILL_NEED = 3;

    private static final System.Logger LOGGER = System.getLogger(PageHints.class.getName());

    /// Empty where the C library has no such function.
    static final Optional<PageHints> LOADED = load();

    private final RecentHints recent = new RecentHints(new SystemEnv());
    private final MethodHandle advise;
    private final long pageBytes;

    private PageHints(MethodHandle advise, long pageBytes) {
        this.advise = advise;
        this.pageBytes = pageBytes;
    }

    /// Empty if the process may not call native code, or if Java does not support it on this
    /// machine. Files are then read without hints.
    private static Optional<PageHints> load() {
        try {
            return find();
        } catch (IllegalCallerException | UnsupportedOperationException e) {
            LOGGER.log(System.Logger.Level.INFO, "files are read without hints: {0}", e);
            return Optional.empty();
        }
    }

    private static Optional<PageHints> find() {
        var advise =
                NativeCalls.find(
                        "madvise",
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT));
        var pageSize = NativeCalls.find("getpagesize", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        return pageSize.flatMap(size -> advise.map(found -> new PageHints(found, pageBytes(size))));
    }

    private static long pageBytes(MethodHandle pageSize) {
        try {
            return (int) pageSize.invokeExact();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Starts to read those pages of `[offset, offset + length)` that are not in memory, and does
    /// not wait for them. `mapped` is a whole mapping that contains the range.
    void willRead(MemorySegment mapped, long offset, long length) {
        long from = offset - (mapped.address() + offset) % pageBytes;
        if (from < 0 || length <= 0) {
            return;
        }
        long bytes = offset + length - from;
        if (!recent.isNew(mapped.address() + from, bytes)) {
            return;
        }
        try {
            // The result is ignored, since this is only a hint.
            int _ = (int) advise.invokeExact(mapped.asSlice(from, bytes), bytes, WILL_NEED);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}

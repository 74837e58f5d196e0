package io.cleave.disk;

import io.cleave.base.SystemEnv;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Tells the kernel which pages of a mapped file are read next, with the C library's `madvise`.
///
/// Without a hint the kernel guesses: a fault on one page of a mapping reads around it as much as
/// the disk's read-ahead setting says, which may be megabytes. A page that was asked for before it
/// is touched causes no such fault, and all pages of one hint come in one request: see
/// `docs/decisions/0021-blocks-are-asked-for-before-they-are-touched.md`. Threads: any.
final class PageHints {
    /// `MADV_WILLNEED`, the same number on Linux, macOS and the BSDs.
    private static final int WILL_NEED = 3;

    /// Empty where the C library has no such function.
    static final Optional<PageHints> LOADED = load();

    private final RecentHints recent = new RecentHints(new SystemEnv());
    private final MethodHandle advise;
    private final long pageBytes;

    private PageHints(MethodHandle advise, long pageBytes) {
        this.advise = advise;
        this.pageBytes = pageBytes;
    }

    @SuppressWarnings("restricted") // functions of the C library, as the manual has them
    private static Optional<PageHints> load() {
        Linker linker = Linker.nativeLinker();
        var advise =
                linker.defaultLookup()
                        .find("madvise")
                        .map(
                                address ->
                                        linker.downcallHandle(
                                                address,
                                                FunctionDescriptor.of(
                                                        ValueLayout.JAVA_INT,
                                                        ValueLayout.ADDRESS,
                                                        ValueLayout.JAVA_LONG,
                                                        ValueLayout.JAVA_INT)));
        var pageSize =
                linker.defaultLookup()
                        .find("getpagesize")
                        .map(
                                address ->
                                        linker.downcallHandle(
                                                address,
                                                FunctionDescriptor.of(ValueLayout.JAVA_INT)));
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

    /// Begins to read what is not in memory of `[offset, offset + length)`, and does not wait for
    /// it. `mapped` is a whole mapping; the range lies in it.
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
            // What it answers is of no interest: it is a hint.
            int _ = (int) advise.invokeExact(mapped.asSlice(from, bytes), bytes, WILL_NEED);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}

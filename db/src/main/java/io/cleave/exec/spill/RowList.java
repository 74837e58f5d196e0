package io.cleave.exec.spill;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A list of rows that are read by their index, mostly in sequence. When memory is full, the rows
/// go to disk in pages, and the pages read last stay in memory. Threads: one.
public final class RowList implements AutoCloseable {
    private static final int ENTRY_BYTES = 32;

    /// At least this number of rows stays in memory, even if memory is full.
    private static final int MIN_ROWS = 64;

    /// A page ends after this number of rows, or after `PAGE_BYTES` bytes.
    private static final int PAGE_ROWS = 256;

    private static final long PAGE_BYTES = 32 << 10;

    /// `rows` rows on disk, beginning with row number `first`, at this offset in the file.
    private record Page(int first, long offset, int rows) {}

    private final Spill spill;
    private final QueryMemory.Share memory;

    /// The rows that are on no page yet. They come after all rows on pages.
    private List<Value[]> rows = new ArrayList<>();

    private long pageBytes;
    private final List<Page> pages = new ArrayList<>();
    private final Map<Page, Value[][]> readPages;

    private int size;
    private int onDisk;
    private @Nullable SpillFile file;

    /// `positions` is the number of positions at which the list is read in turn. The same number of
    /// pages stays in memory.
    public RowList(Spill spill, int positions) {
        this.spill = spill;
        memory = new QueryMemory.Share(spill.memory());
        readPages =
                new LinkedHashMap<>(16, 0.75f, true) {
                    private static final long serialVersionUID = 1;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Page, Value[][]> eldest) {
                        return size() > positions;
                    }
                };
    }

    public int size() {
        return size;
    }

    /// The row is copied.
    public void add(Value[] row) {
        rows.add(row.clone());
        size++;
        long bytes = ENTRY_BYTES + QueryMemory.bytes(row);
        SpillFile to = file;
        if (to != null) {
            pageBytes += bytes;
            if (rows.size() >= PAGE_ROWS || pageBytes >= PAGE_BYTES) {
                writePage(to, 0, rows.size());
                rows.clear();
            }
            return;
        }
        try {
            memory.add(bytes);
        } catch (QueryMemory.Full _) {
            if (rows.size() >= MIN_ROWS) {
                writeAll();
            }
        }
    }

    /// Counts `bytes` bytes of other data that must stay in memory. If there is no room for them,
    /// all rows of the list go to disk first.
    public void makeRoom(QueryMemory.Share others, long bytes) {
        try {
            others.add(bytes);
        } catch (QueryMemory.Full _) {
            toDisk();
            others.require(0);
        }
    }

    public void toDisk() {
        if (file == null && !rows.isEmpty()) {
            writeAll();
        }
    }

    private void writeAll() {
        SpillFile to = spill.newFile();
        file = to;
        int from = 0;
        for (int until = 1; until <= rows.size(); until++) {
            pageBytes += ENTRY_BYTES + QueryMemory.bytes(rows.get(until - 1));
            if (until - from == PAGE_ROWS || pageBytes >= PAGE_BYTES || until == rows.size()) {
                writePage(to, from, until);
                from = until;
            }
        }
        rows = new ArrayList<>();
        memory.close();
    }

    private void writePage(SpillFile to, int from, int until) {
        pages.add(new Page(onDisk, to.endChunk(), until - from));
        for (Value[] row : rows.subList(from, until)) {
            spill.checkpoint().pass();
            to.add(row);
        }
        onDisk += until - from;
        pageBytes = 0;
    }

    public Value[] get(int index) {
        if (index >= onDisk) {
            return rows.get(index - onDisk);
        }
        int low = 0;
        int high = pages.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (pages.get(middle).first <= index) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Page page = pages.get(low);
        Value[][] read = readPages.get(page);
        if (read == null) {
            read = read(page);
            readPages.put(page, read);
        }
        return read[index - page.first];
    }

    private Value[][] read(Page page) {
        spill.checkpoint().pass();
        Rows from = Objects.requireNonNull(file).read(page.offset);
        var read = new Value[page.rows][];
        for (int index = 0; index < read.length; index++) {
            read[index] = Objects.requireNonNull(from.next());
        }
        return read;
    }

    /// All rows, from the first one. Rows that are added meanwhile may be left out.
    public Rows rows() {
        return new Rows() {
            private int next;

            @Override
            public Value @Nullable [] next() {
                return next == size ? null : get(next++);
            }
        };
    }

    public void clear() {
        rows = new ArrayList<>();
        memory.close();
        pages.clear();
        readPages.clear();
        pageBytes = 0;
        size = 0;
        onDisk = 0;
        if (file != null) {
            spill.remove(file);
            file = null;
        }
    }

    @Override
    public void close() {
        clear();
    }
}

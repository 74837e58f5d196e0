package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.lsm.row.KeySample;
import io.cleave.lsm.row.KeySampler;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Run;
import io.cleave.lsm.table.Slice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// A tree whose rows are numbers and whose files are sorted maps, to try out what the picker
/// decides. A row takes one byte; its value says whether it is erased.
final class CompactionModel {
    private final LsmOptions options;
    private final long memtableRows;
    private final Map<Long, NavigableMap<Long, Boolean>> blobs = new HashMap<>();
    private final Map<Long, Double> garbage = new HashMap<>();
    private final Map<Long, KeySample> samples = new HashMap<>();
    private final List<Slice> slices = new ArrayList<>();
    private final NavigableMap<Long, Boolean> truth = new TreeMap<>();
    private NavigableMap<Long, Boolean> memtable = new TreeMap<>();
    private long generation;
    private long nextBlob = 1;

    long rowsTaken;
    long rowsWritten;

    /// After any compaction that was due.
    int mostRuns;

    CompactionModel(LsmOptions options, long memtableRows) {
        this.options = options;
        this.memtableRows = memtableRows;
    }

    void put(long key) {
        write(key, false);
    }

    void erase(long key) {
        write(key, true);
    }

    private void write(long key, boolean erased) {
        memtable.put(key, erased);
        truth.put(key, erased);
        rowsTaken++;
        if (memtable.size() >= memtableRows) {
            flush();
            compactAll();
        }
    }

    void flush() {
        if (memtable.isEmpty()) {
            return;
        }
        generation++;
        slices.addAll(save(memtable, 0, generation));
        memtable = new TreeMap<>();
    }

    void compactAll() {
        while (compact(CompactionPicker.pick(facts(), options))) {}
        mostRuns = Math.max(mostRuns, runs());
    }

    void compactFully() {
        flush();
        while (compact(FullCompaction.pick(facts(), options, generation))) {}
    }

    private boolean compact(Optional<Compaction> picked) {
        if (picked.isEmpty()) {
            return false;
        }
        Compaction compaction = picked.get();
        assertThat(slices).containsAll(compaction.inputs());
        slices.removeAll(compaction.inputs());
        switch (compaction.kind()) {
            case MOVE ->
                    compaction
                            .inputs()
                            .forEach(slice -> slices.add(slice.atLevel(compaction.outputLevel())));
            case DROP -> throw new AssertionError("nothing is erased by ranges here");
            case MERGE -> slices.addAll(merge(compaction));
        }
        checkLevels();
        return true;
    }

    private List<Slice> merge(Compaction compaction) {
        NavigableMap<Long, Boolean> merged = new TreeMap<>();
        for (Slice slice : Run.inOrder(compaction.inputs()).reversed()) {
            merged.putAll(blobs.get(slice.blobId()));
        }
        if (compaction.bottom()) {
            merged.values().removeIf(erased -> erased);
        }
        long newest = compaction.inputs().stream().mapToLong(Slice::generation).max().orElseThrow();
        return save(merged, compaction.outputLevel(), newest);
    }

    private List<Slice> save(NavigableMap<Long, Boolean> rows, int level, long newest) {
        rowsWritten += rows.size();
        List<Slice> saved = new ArrayList<>();
        NavigableMap<Long, Boolean> table = new TreeMap<>();
        for (Map.Entry<Long, Boolean> row : rows.entrySet()) {
            table.put(row.getKey(), row.getValue());
            if (table.size() == options.tableBytes()) {
                saved.add(saveTable(table, level, newest));
                table = new TreeMap<>();
            }
        }
        if (!table.isEmpty()) {
            saved.add(saveTable(table, level, newest));
        }
        return saved;
    }

    private Slice saveTable(NavigableMap<Long, Boolean> table, int level, long newest) {
        long blobId = nextBlob++;
        blobs.put(blobId, table);
        long erased = table.values().stream().filter(isErased -> isErased).count();
        garbage.put(blobId, (double) erased / table.size());
        samples.put(blobId, sample(table));
        return new Slice(
                blobId,
                level,
                newest,
                key(table.firstKey()),
                key(table.lastKey() + 1),
                table.size(),
                table.size(),
                1,
                1);
    }

    private List<SliceFacts> facts() {
        return slices.stream()
                .map(
                        slice ->
                                new SliceFacts(
                                        slice,
                                        false,
                                        false,
                                        garbage.get(slice.blobId()),
                                        layer(slice)))
                .toList();
    }

    private Layer layer(Slice slice) {
        NavigableMap<Long, Boolean> table = blobs.get(slice.blobId());
        long rows = Math.round(table.size() * (1 - garbage.get(slice.blobId())));
        return new Layer(
                slice.from(),
                slice.to(),
                rows,
                table.size() - rows,
                slice.bytes(),
                rows,
                true,
                samples.get(slice.blobId()));
    }

    private static KeySample sample(NavigableMap<Long, Boolean> table) {
        var sampler = new KeySampler();
        for (long number : table.keySet()) {
            long hash = Keys.hash(key(number).array(), Long.BYTES);
            if (sampler.takes(hash)) {
                sampler.add(hash, Math.toIntExact(number));
            }
        }
        return sampler.sample(_ -> true, place -> table.get((long) place));
    }

    /// Levels from 1 on are runs, and what is newer stands higher.
    private void checkLevels() {
        for (List<Slice> run : Run.split(slices)) {
            for (int index = 1; index < run.size(); index++) {
                assertThat(run.get(index - 1).overlaps(run.get(index))).isFalse();
            }
        }
    }

    /// Everything that was written is found as it was written last.
    void check() {
        NavigableMap<Long, Boolean> found = new TreeMap<>();
        for (Slice slice : Run.inOrder(slices).reversed()) {
            found.putAll(blobs.get(slice.blobId()));
        }
        found.putAll(memtable);
        found.values().removeIf(erased -> erased);
        NavigableMap<Long, Boolean> expected = new TreeMap<>(truth);
        expected.values().removeIf(erased -> erased);
        assertThat(found).isEqualTo(expected);
    }

    int runs() {
        return Run.split(slices).size();
    }

    long rowsOnDisk() {
        return Levels.bytes(slices);
    }

    List<Slice> slices() {
        return slices;
    }

    /// Rows written to files for each row taken.
    double writeAmplification() {
        return (double) rowsWritten / rowsTaken;
    }

    private static Bytes key(long number) {
        byte[] bytes = new byte[Long.BYTES];
        ByteWriter.putLong(bytes, 0, Long.reverseBytes(number));
        return Bytes.wrap(bytes);
    }
}

package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Slices as lines `level generation from..to bytes`; the answer names inputs the same way.
class CompactionPickerTest {
    private static final LsmOptions OPTIONS = new LsmOptions(16 << 10, 16, 100, 3, 1000, 10);

    @TestFactory
    Stream<DynamicTest> picks() throws IOException {
        Path dir = Path.of("src/test/testdata/compaction");
        return DataDriven.run(dir, CompactionPickerTest::pick);
    }

    private static String pick(DataDriven.Command command) {
        List<Slice> slices = new ArrayList<>();
        for (String line : command.input()) {
            slices.add(slice(slices.size() + 1, line));
        }
        return CompactionPicker.pick(slices, OPTIONS)
                .map(CompactionPickerTest::print)
                .orElse("nothing\n");
    }

    private static Slice slice(int blobId, String line) {
        String[] part = line.trim().split("\\s+");
        String[] range = part[2].split("\\.\\.", -1);
        return new Slice(
                blobId,
                Integer.parseInt(part[0]),
                Long.parseLong(part[1]),
                Bytes.utf8(range[0]),
                range[1].isEmpty() ? null : Bytes.utf8(range[1]),
                Long.parseLong(part[3]),
                1,
                1,
                1);
    }

    private static String print(Compaction compaction) {
        String inputs =
                compaction.inputs().stream()
                        .map(CompactionPickerTest::print)
                        .collect(Collectors.joining());
        return "%s into level %d%s%s\n%s"
                .formatted(
                        compaction.move() ? "move" : "merge",
                        compaction.outputLevel(),
                        compaction.bottom() ? " (bottom)" : "",
                        ": " + compaction.reason(),
                        inputs);
    }

    private static String print(Slice slice) {
        Bytes to = slice.to();
        String range = slice.from().utf8() + ".." + (to == null ? "" : to.utf8());
        return "%d %d %s %d\n".formatted(slice.level(), slice.generation(), range, slice.bytes());
    }
}

package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.KeySample;
import io.cleave.lsm.row.KeySampler;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Slices as lines `level generation from..to bytes`, and behind it `erased`, `stale`,
/// `garbage=percent` or `keys=1,2,-3`: its rows, of which 3 is erased. A slice of which only
/// `rows=` and `erases=` are known was written before files had samples of their keys. With
/// `needed` a snapshot may need what it hides. The answer names inputs the same way.
class CompactionPickerTest {
    private static final LsmOptions OPTIONS = new LsmOptions(16 << 10, 16, 100, 3, 1000, 10);

    @TestFactory
    Stream<DynamicTest> picks() throws IOException {
        Path dir = Path.of("src/test/testdata/compaction");
        return DataDriven.run(dir, CompactionPickerTest::answer);
    }

    private static String answer(DataDriven.Command command) {
        List<SliceFacts> facts = new ArrayList<>();
        for (String line : command.input()) {
            facts.add(facts(facts.size() + 1, line));
        }
        Optional<Compaction> picked =
                switch (command.name()) {
                    case "pick" -> CompactionPicker.pick(facts, OPTIONS);
                    case "full" ->
                            FullCompaction.pick(facts, OPTIONS, command.number("generation"));
                    default -> throw new IllegalArgumentException(command.name());
                };
        return picked.map(CompactionPickerTest::print).orElse("nothing\n");
    }

    private static SliceFacts facts(int blobId, String line) {
        List<String> part = List.of(line.trim().split("\\s+"));
        String[] range = part.get(2).split("\\.\\.", -1);
        var slice =
                new Slice(
                        blobId,
                        Integer.parseInt(part.get(0)),
                        Long.parseLong(part.get(1)),
                        Bytes.utf8(range[0]),
                        range[1].isEmpty() ? null : Bytes.utf8(range[1]),
                        Long.parseLong(part.get(3)),
                        1,
                        1,
                        1);
        double garbage = Double.parseDouble(value(part, "garbage", "0")) / 100;
        return new SliceFacts(
                slice,
                part.contains("erased"),
                part.contains("stale"),
                garbage,
                layer(slice, part, garbage));
    }

    private static Layer layer(Slice slice, List<String> part, double garbage) {
        List<Long> keys =
                Arrays.stream(value(part, "keys", "").split(","))
                        .filter(key -> !key.isEmpty())
                        .map(Long::parseLong)
                        .toList();
        long rows = keys.stream().filter(key -> key > 0).count();
        long erases = keys.size() - rows;
        boolean isOld = !value(part, "rows", "").isEmpty();
        if (isOld) {
            rows = Long.parseLong(value(part, "rows", "0"));
            erases = Long.parseLong(value(part, "erases", "0"));
        }
        boolean isEmpty = rows == 0 && erases > 0;
        return new Layer(
                slice.from(),
                slice.to(),
                rows,
                erases,
                slice.bytes(),
                isEmpty ? 0 : Math.round(slice.bytes() * (1 - garbage)),
                !part.contains("needed"),
                isOld ? null : sample(keys));
    }

    private static KeySample sample(List<Long> keys) {
        var sampler = new KeySampler();
        keys.forEach(key -> sampler.add(2 * Math.abs(key), Math.toIntExact(key)));
        return sampler.sample(_ -> true, place -> place < 0);
    }

    private static String value(List<String> words, String name, String otherwise) {
        return words.stream()
                .filter(word -> word.startsWith(name + "="))
                .map(word -> word.substring(name.length() + 1))
                .findFirst()
                .orElse(otherwise);
    }

    private static String print(Compaction compaction) {
        String inputs =
                compaction.inputs().stream()
                        .map(CompactionPickerTest::print)
                        .collect(Collectors.joining());
        return "%s into level %d%s%s\n%s"
                .formatted(
                        compaction.kind().name().toLowerCase(Locale.ROOT),
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

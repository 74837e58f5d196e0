package io.cleave.yql;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.StatusException;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Whatever the text, the parser answers with a tree or with a status and a place.
class ParserFuzzTest {
    private static final int ROUNDS = 10_000;
    private static final long SEED = Long.getLong("seed", new Random().nextLong());

    private static final String SIGNS = "()[]{}<>|'\"`\\@$;,.:-/*?=!";

    private final Random random = new Random(SEED);
    private int parsed;

    @Test
    void brokenTextsAreRefusedAndNothingElse() throws IOException {
        List<String> texts = texts();
        for (int round = 0; round < ROUNDS; round++) {
            check(mutated(texts));
        }
        // Some mutations are harmless: were none, the test would only try the error path.
        assertThat(parsed).as("-Dseed=" + SEED).isBetween(ROUNDS / 50, ROUNDS);
    }

    private void check(String text) {
        try {
            Parser.parse(text);
            parsed++;
        } catch (StatusException e) {
            assertThat(e.issues().getFirst().message()).isNotBlank();
            assertThat(e.issues().getFirst().position())
                    .as("-Dseed=%d: %s", SEED, text)
                    .isPresent();
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError("-Dseed=" + SEED + ": " + text, e);
        }
    }

    /// The inputs of the text tests.
    private static List<String> texts() throws IOException {
        List<String> texts = new ArrayList<>();
        try (var files = Files.list(Path.of("src/test/testdata/yql"))) {
            for (Path file : files.sorted().toList()) {
                for (String part : Files.readString(file).split("(?m)^parse$")) {
                    int end = part.indexOf("\n----");
                    if (end > 0) {
                        texts.add(part.substring(1, end));
                    }
                }
            }
        }
        return texts;
    }

    private String mutated(List<String> texts) {
        var text = new StringBuilder(texts.get(random.nextInt(texts.size())));
        int changes = 1 + random.nextInt(4);
        for (int change = 0; change < changes; change++) {
            int from = random.nextInt(text.length() + 1);
            int to = Math.min(text.length(), from + random.nextInt(8));
            switch (random.nextInt(6)) {
                case 0 -> text.delete(from, to);
                case 1 -> text.insert(from, (char) random.nextInt(0x10000));
                case 2 -> text.insert(from, text.substring(from, to));
                case 3 -> text.insert(from, SIGNS.charAt(random.nextInt(SIGNS.length())));
                case 4 -> text.insert(from, token(texts));
                default -> text.replace(from, to, token(texts));
            }
        }
        return text.toString();
    }

    /// A word or so of another text.
    private String token(List<String> texts) {
        String[] words = texts.get(random.nextInt(texts.size())).split("(?<=\\W)|(?=\\W)");
        return " " + words[random.nextInt(words.length)] + " ";
    }
}

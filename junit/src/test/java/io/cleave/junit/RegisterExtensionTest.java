package io.cleave.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.nio.file.Files;
import java.nio.file.Path;

class RegisterExtensionTest {
    private static final Path FOLDER = Path.of("target/cleave-data");

    @RegisterExtension
    private static final CleaveExtension CLEAVE = CleaveExtension.inFolder(FOLDER);

    @Test
    void theServerKeepsItsDataInTheFolder() throws Exception {
        Queries.run(
                CLEAVE.server().transport(), "CREATE TABLE t (k Int32 NOT NULL, PRIMARY KEY (k))");

        assertThat(Queries.tables(CLEAVE.server().transport())).containsExactly("t");
        try (var files = Files.walk(FOLDER)) {
            assertThat(files.filter(Files::isRegularFile)).isNotEmpty();
        }
    }
}

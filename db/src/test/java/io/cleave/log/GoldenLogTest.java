package io.cleave.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A segment of each format, as it was written once. A change that cannot read it, or writes
/// another one, is a new format. `-Dgolden=write` makes that of the present format anew.
class GoldenLogTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/log-2.bin");
    private static final Path OLD = Path.of("src/test/resources/golden/log-1.bin");
    private static final Path DIR = Path.of("/log");
    private static final Path FILE = DIR.resolve("0000000000000000-00000001.log");
    private static final List<String> RECORDS = List.of("first", "", "x".repeat(300), "last");

    @Test
    void itIsReadAndWrittenAsItWas() throws IOException {
        byte[] written = write();
        if (System.getProperty("golden", "").equals("write")) {
            Files.write(GOLDEN, written);
        }
        byte[] golden = Files.readAllBytes(GOLDEN);
        assertThat(written).isEqualTo(golden);
        checkRead(golden);
    }

    @Test
    void anOldOneIsRead() throws IOException {
        checkRead(Files.readAllBytes(OLD));
    }

    private static void checkRead(byte[] golden) throws IOException {
        var disk = new SimulatedDisk();
        disk.createFolders(DIR);
        disk.put(FILE, golden);
        try (Log log = open(disk)) {
            assertThat(LogContract.readAll(log, 0))
                    .containsExactly("0:first", "1:", "2:" + "x".repeat(300), "3:last");
        }
    }

    private static byte[] write() throws IOException {
        var disk = new SimulatedDisk();
        var env = new SimEnv(1);
        env.run(
                () -> {
                    try (Log log = new LocalLog(disk, DIR, env, LogOptions.DEFAULT, _ -> {})) {
                        LogWriter writer = log.openWriter();
                        RECORDS.forEach(record -> DamagedTailTest.append(writer, record));
                        DamagedTailTest.sleep(env, Duration.ofSeconds(1)); // for a mark
                    }
                });
        return disk.readAll(FILE);
    }

    private static Log open(SimulatedDisk disk) {
        return new LocalLog(disk, DIR, new SystemEnv(), LogOptions.DEFAULT, _ -> {});
    }
}

package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.cluster.KeyText;
import io.cleave.cluster.TabletInfo;
import io.cleave.faults.DiskStore;
import io.cleave.faults.Workload;
import io.cleave.schema.Table;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Whole data folders of every format, as they were written once, with a medium of their own. They
/// must stay readable, or get a new number. `-Dgolden=write` makes that of the present format anew.
class GoldenFolderTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden");
    private static final int FORMAT = 3;

    @TempDir private Path temp;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void itsRowsAreRead(int format) throws Exception {
        if (format == FORMAT && System.getProperty("golden", "").equals("write")) {
            write();
        }
        Path data = copy(format);
        DataFolder.open(data, Map.of("hdd", data.resolve("hdd"))).close();
        assertThat(rows(onDisk(data))).isEqualTo(Files.readString(rowsOf(format)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void fsckFindsItClean(int format) throws Exception {
        Path data = copy(format);
        assertThat(Fsck.run(data, Map.of()).text()).endsWith("clean\n");
        DataFolder.open(data, Map.of("hdd", data.resolve("hdd"))).close();
        assertThat(Fsck.run(data, Map.of()).text()).endsWith("clean\n");
        assertThat(data.resolve("FORMAT")).hasContent("3\n");
    }

    /// As a crash between the two renames leaves it.
    @Test
    void anUpgradeThatWasCutOffIsFinished() throws Exception {
        Path data = copy(1);
        Files.move(data.resolve("cells/1/blobs"), data.resolve("blobs"));
        assertThat(Fsck.run(data, Map.of()).text()).endsWith("clean\n");
        DataFolder.open(data, Map.of("hdd", data.resolve("hdd"))).close();
        assertThat(data.resolve("hdd/cells/1/blobs")).doesNotExist();
        assertThat(rows(onDisk(data))).isEqualTo(Files.readString(rowsOf(1)));
    }

    private Path copy(int format) throws IOException {
        Path data = temp.resolve("data");
        FolderCopy.copy(folderOf(format), data);
        FolderCopy.addMedium(data);
        return data;
    }

    private static Path folderOf(int format) {
        return GOLDEN.resolve("data-" + format);
    }

    private static Path rowsOf(int format) {
        return GOLDEN.resolve("data-" + format + "-rows.txt");
    }

    private static SimulatedDisk onDisk(Path data) throws IOException {
        var disk = new SimulatedDisk();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = DiskStore.ROOT.resolve(data.relativize(file).toString());
                disk.createFolders(copy.getParent());
                disk.put(copy, Files.readAllBytes(file));
            }
        }
        return disk;
    }

    private static void write() throws IOException {
        var disk = new SimulatedDisk();
        var env = new SimEnv(1);
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env)) {
                        new Workload(1).run(store, env);
                    }
                    try (var store = new DiskStore(disk, env, 2)) {
                        changeTablets(store);
                    }
                });
        FolderCopy.delete(folderOf(FORMAT));
        FolderCopy.write(disk, folderOf(FORMAT));
        Files.writeString(rowsOf(FORMAT), rows(disk));
    }

    /// So that there is a record of each kind.
    private static void changeTablets(DiskStore store) {
        Table table = store.tablets().table(Workload.TABLE);
        List<Long> ids = store.tablets().infos(table).stream().map(TabletInfo::tabletId).toList();
        store.resharding().move(Workload.TABLE, ids.get(0), 2);
        store.resharding().move(Workload.TABLE, ids.get(2), 2);
        store.resharding().merge(Workload.TABLE, List.of(ids.get(0), ids.get(1)));
        store.resharding().split(Workload.TABLE, List.of(KeyText.parse(table, "5")));
    }

    private static String rows(SimulatedDisk disk) {
        var env = new SimEnv(1);
        var text = new StringBuilder();
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env, 2)) {
                        store.readAll(Workload.TABLE)
                                .forEach(
                                        (id, v) ->
                                                text.append(id).append(' ').append(v).append('\n'));
                    }
                });
        return text.toString();
    }
}

package io.cleave.yt.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CypressNode;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Clients of YDB and of YTsaurus change the same paths at the same time.
class TwoClientsTest {
    private static final long SEED = Long.getLong("seed", new Random().nextInt(Integer.MAX_VALUE));
    private static final int ROUNDS = 400;
    private static final String MOVE = "{source_path=\"%s\";destination_path=\"%s\";%s}";

    @Test
    void nothingIsLeftWithoutItsDirectory() throws InterruptedException {
        var failures = new ConcurrentLinkedQueue<Throwable>();
        try (var tree = new TestTree(1)) {
            List<Thread> threads = new ArrayList<>();
            for (int index = 0; index < 4; index++) {
                var random = new Random(SEED + index);
                Runnable rounds = index % 2 == 0 ? () -> yt(tree, random) : () -> ydb(tree, random);
                threads.add(
                        Thread.ofPlatform()
                                .uncaughtExceptionHandler((_, e) -> failures.add(e))
                                .start(rounds));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).as("-Dseed=%d", SEED).isEmpty();
            checkParents(tree.store().catalog().view(), "/local");
            tree.restart();
            checkParents(tree.store().catalog().view(), "/local");
        }
    }

    /// A crash during the commit must not lose a part of it.
    @Test
    void aTransactionThatSetsSettingsIsOneChangeOfTheCatalog() {
        try (var tree = new TestTree(1)) {
            tree.run("create", "{type=table;path=\"//t\"}", Optional.empty());
            String id =
                    tree.run("start_transaction", "{return_only_value=%true}", Optional.empty())
                            .replace("\"", "");
            String in = "transaction_id=\"%s\"".formatted(id);
            tree.run("set", "{path=\"//t/@optimize_for\";%s}".formatted(in), Optional.of("scan"));
            tree.run("move", MOVE.formatted("//t", "//u", in), Optional.empty());
            tree.run("create", "{type=map_node;path=\"//m\";%s}".formatted(in), Optional.empty());
            String of = "{path=\"//u/@optimize_for\";return_only_value=%true;";
            assertThat(tree.run("get", of + in + "}", Optional.empty())).contains("scan");
            assertThat(tree.run("get", "{path=\"//t/@optimize_for\"}", Optional.empty()))
                    .contains("lookup");
            long before = tree.store().catalog().changes();
            tree.run("commit_transaction", "{%s}".formatted(in), Optional.empty());
            assertThat(tree.store().catalog().changes()).isEqualTo(before + 1);
            assertThat(tree.run("get", of + "}", Optional.empty())).contains("scan");
            tree.restart();
            assertThat(tree.run("get", of + "}", Optional.empty())).contains("scan");
        }
    }

    /// Otherwise the client would believe that the setting was changed.
    @Test
    void aTransactionThatSetsASettingOfARemovedTableFails() {
        try (var tree = new TestTree(1)) {
            tree.run("create", "{type=table;path=\"//t\"}", Optional.empty());
            String id =
                    tree.run("start_transaction", "{return_only_value=%true}", Optional.empty())
                            .replace("\"", "");
            String in = "transaction_id=\"%s\"".formatted(id);
            tree.run("set", "{path=\"//t/@optimize_for\";%s}".formatted(in), Optional.of("scan"));
            tree.store().tree().dropTable("/local/t", false);
            assertThat(tree.run("commit_transaction", "{%s}".formatted(in), Optional.empty()))
                    .contains("was removed by another client");
            assertThat(tree.run("exists", "{path=\"#%s\"}".formatted(id), Optional.empty()))
                    .contains("false");
        }
    }

    private static void yt(TestTree tree, Random random) {
        for (int round = 0; round < ROUNDS; round++) {
            String path = "//d" + random.nextInt(3) + "/e" + random.nextInt(3);
            String parameters = "{path=\"%s/x\";recursive=%%true;force=%%true}".formatted(path);
            switch (random.nextInt(4)) {
                case 0 -> tree.run("set", parameters, Optional.of("1"));
                case 1 -> tree.run("remove", parameters, Optional.empty());
                case 2 ->
                        tree.run(
                                "create",
                                "{type=table;path=\"%s/t\";recursive=%%true}".formatted(path),
                                Optional.empty());
                default -> {
                    String id =
                            tree.run(
                                            "start_transaction",
                                            "{return_only_value=%true}",
                                            Optional.empty())
                                    .replace("\"", "");
                    tree.run(
                            "create",
                            "{type=map_node;path=\"%s/m\";recursive=%%true;transaction_id=\"%s\"}"
                                    .formatted(path, id),
                            Optional.empty());
                    tree.run(
                            "commit_transaction",
                            "{transaction_id=\"%s\"}".formatted(id),
                            Optional.empty());
                }
            }
        }
    }

    private static void ydb(TestTree tree, Random random) {
        for (int round = 0; round < ROUNDS; round++) {
            String path = "/local/d" + random.nextInt(3) + "/e" + random.nextInt(3);
            try {
                switch (random.nextInt(4)) {
                    case 0 -> tree.store().tree().makeDirectory(path);
                    case 1 -> tree.store().tree().removeDirectory(path);
                    case 2 -> tree.store().tree().dropTable(path + "/t", true);
                    default -> tree.store().tree().removeDirectory(path + "/m");
                }
            } catch (StatusException e) {
                assertThat(e.status()).isEqualTo(Status.SCHEME_ERROR);
            }
        }
    }

    /// Everything that is stored is found from the root, through directories.
    private static void checkParents(CatalogView view, String root) {
        int rootRow = view.cypress(root).isPresent() ? 1 : 0;
        assertThat(rows(view, root) + rootRow).as("-Dseed=%d", SEED).isEqualTo(view.cypressCount());
        assertThat(nodes(view, root)).as("-Dseed=%d", SEED).isEqualTo(view.nodeCount());
        assertThat(view.tablets()).hasSize(view.tables().size());
    }

    private static int nodes(CatalogView view, String directory) {
        int count = 0;
        for (CatalogView.Node node : view.children(directory)) {
            count += 1 + (node.isDirectory() ? nodes(view, node.path()) : 0);
        }
        return count;
    }

    private static int rows(CatalogView view, String directory) {
        int count = 0;
        for (CypressNode row : view.cypressChildren(directory)) {
            assertThat(row.isOwn()).isEqualTo(view.find(row.path()).isEmpty());
            count++;
        }
        for (CatalogView.Node node : view.children(directory)) {
            count += rows(view, node.path());
        }
        return count;
    }
}

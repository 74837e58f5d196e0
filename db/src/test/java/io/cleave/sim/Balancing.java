package io.cleave.sim;

import io.cleave.base.Bytes;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CypressNode;
import io.cleave.cluster.Bundles;
import io.cleave.node.Store;
import io.cleave.schema.Balancer;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.TableChange;
import io.cleave.schema.YtTable;
import io.cleave.testkit.StoreParts;
import io.cleave.tree.BalancerConfig;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Sets what balancers of a simulated server go by.
record Balancing(Store store, StoreParts parts) {
    /// From now on, rounds of YTsaurus' rules come so often, and may do whatever the rules can.
    void configureRounds(Duration period) {
        document(
                BalancerConfig.path(parts.tablets().database()),
                ObjectType.DOCUMENT,
                yson(
                        "{schedule=\"1\";period=%d;min_desired_tablet_size=0}"
                                .formatted(period.toMillis())),
                Bytes.EMPTY);
        document(
                parts.tablets().database() + "/sys/tablet_cell_bundles/" + Bundles.DEFAULT,
                ObjectType.TABLET_CELL_BUNDLE,
                Bytes.EMPTY,
                yson("{tablet_balancer_config={enable_cell_balancer=%true}}"));
    }

    private void document(String path, ObjectType type, Bytes value, Bytes attributes) {
        var node =
                new CypressNode(
                        path,
                        ObjectId.named(type, path),
                        type,
                        value,
                        attributes,
                        "root",
                        0,
                        0,
                        0,
                        0);
        parts.tablets()
                .held()
                .changing(
                        () -> {
                            store.catalog().change(List.of(new CatalogChange.PutCypress(node)));
                            return true;
                        });
    }

    private static Bytes yson(String text) {
        YsonNode node = YsonNode.parse(Bytes.utf8(text)).orElseThrow();
        return YsonWriter.write(node, YsonWriter.Format.BINARY);
    }

    /// From now on the table has this balancer; YTsaurus' wants so many tablets. Nobody else
    /// changes the states of its tablets meanwhile.
    void chooseBalancer(String path, Balancer balancer, int tablets) {
        YtTable yt = parts.tablets().table(path).options().yt().orElse(YtTable.OTHER);
        SortedMap<String, Bytes> settings = new TreeMap<>(yt.settings());
        settings.put(
                "tablet_balancer_config", yson("{desired_tablet_count=%d}".formatted(tablets)));
        parts.tree()
                .alterTable(
                        path,
                        List.of(
                                new TableChange.SetBalancer(Optional.of(balancer)),
                                new TableChange.SetYt(yt.withSettings(settings))));
    }
}

package io.cleave.control;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.BundleState;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Due;
import io.cleave.base.Bytes;
import io.cleave.catalog.CatalogView;
import io.cleave.cluster.Bundles;
import io.cleave.cluster.Tablets;
import io.cleave.control.round.RoundCluster;
import io.cleave.schema.Balancer;
import io.cleave.schema.Table;
import io.cleave.tree.BalancerConfig;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The cluster as the iterations of YTsaurus' rules see it: the catalog, and measurements of
/// tablets when something is due.
record WatchedCluster(Tablets tablets, ClusterReviews reviews, BalanceSettings settings)
        implements RoundCluster {
    @Override
    public Bytes config() {
        return BalancerConfig.bytes(view(), tablets.database());
    }

    @Override
    public List<BundleState> bundles() {
        return bundles(view(), tablets.database());
    }

    static List<BundleState> bundles(CatalogView view, String database) {
        List<BundleState> bundles = new ArrayList<>();
        view.bundles()
                .keySet()
                .forEach(
                        name ->
                                bundles.add(
                                        new BundleState(
                                                name, Bundles.attributes(view, database, name))));
        return bundles;
    }

    @Override
    public Map<String, List<Table>> tables() {
        List<Table> all = tablets.tables();
        Map<Long, Table> owners = owners(all);
        Map<String, List<Table>> byBundle = new HashMap<>();
        for (Table table : all) {
            if (balancer(table, owners) == Balancer.YT) {
                byBundle.computeIfAbsent(Bundles.of(table), _ -> new ArrayList<>()).add(table);
            }
        }
        return byBundle;
    }

    /// The tables that have index tables, by id.
    static Map<Long, Table> owners(List<Table> all) {
        Map<Long, Table> owners = new HashMap<>();
        for (Table table : all) {
            if (!table.indexes().isEmpty()) {
                owners.put(table.id(), table);
            }
        }
        return owners;
    }

    /// Whose policy decides about the table. An index table follows its table.
    static Balancer balancer(Table table, Map<Long, Table> owners) {
        return owners.getOrDefault(table.ownerId(), table).balancer();
    }

    @Override
    public Decided decide(Set<Due> due) {
        return reviews.ask(
                Balancer.YT,
                (state, facts, policies) -> {
                    ClusterState round = state.withDue(due);
                    return new Decided(
                            round,
                            policies.decide(Balancer.YT, round, facts, settings),
                            policies.problems(round));
                });
    }

    private CatalogView view() {
        return tablets.held().view();
    }
}

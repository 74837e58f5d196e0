package io.cleave.control.round;

import io.cleave.balance.BundleState;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Due;
import io.cleave.base.Bytes;
import io.cleave.schema.Table;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// What an iteration sees of the cluster.
public interface RoundCluster {
    /// What clients have set for the balancer of all bundles.
    Bytes config();

    /// The bundles that have cells.
    List<BundleState> bundles();

    /// The tables whose balancer is YTsaurus', by bundle.
    Map<String, List<Table>> tables();

    /// Measures all tablets, and asks the policy about what is due.
    Decided decide(Set<Due> due);

    /// An answer of the policy.
    ///
    /// @param decisions by table id
    /// @param problems what keeps groups that are due from being balanced, by bundle
    record Decided(
            ClusterState cluster,
            Map<Long, List<Decision>> decisions,
            Map<String, List<String>> problems) {}
}

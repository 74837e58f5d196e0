package io.cleave.node;

import io.cleave.access.Caller;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.Tablets;
import io.cleave.console.Operations;
import io.cleave.console.OperatorAccess;
import io.cleave.control.TabletBalancer;
import io.cleave.query.Database;
import io.cleave.tree.CypressTree;

/// The operations of this node, for each caller of the HTTP port.
record NodeOperatorAccess(
        Database database,
        Tablets tablets,
        Resharding resharding,
        TabletBalancer balancer,
        CypressTree tree,
        boolean mayFreeze)
        implements OperatorAccess {
    @Override
    public Operations as(Caller caller) {
        return new TableOperations(database.as(caller), tablets, resharding, balancer, tree);
    }
}

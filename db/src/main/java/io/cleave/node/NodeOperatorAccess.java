package io.cleave.node;

import io.cleave.access.Caller;
import io.cleave.cluster.LocalCluster;
import io.cleave.cluster.Partitioner;
import io.cleave.console.Operations;
import io.cleave.console.OperatorAccess;
import io.cleave.query.Database;

/// The operations of this node, for each caller of the HTTP port.
record NodeOperatorAccess(
        Database database, LocalCluster cluster, Partitioner partitioner, boolean mayFreeze)
        implements OperatorAccess {
    @Override
    public Operations as(Caller caller) {
        return new TableOperations(database.as(caller), cluster, partitioner);
    }
}

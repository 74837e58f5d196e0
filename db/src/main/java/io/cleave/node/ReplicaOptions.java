package io.cleave.node;

/// The options of a node's read replicas.
///
/// @param zone the availability zone of the process, for display
/// @param freezable whether an operator may freeze cells as if their leaders hung, for tests and
///   measurements
public record ReplicaOptions(String zone, boolean freezable) {
    public static final ReplicaOptions DEFAULT = new ReplicaOptions("", false);
}

package io.cleave.node;

/// Where the read replicas of a node are, and whether one may see what they are good for.
///
/// @param zone the availability zone that the process is in, to be shown
/// @param freezable whether an operator may hold up cells as if their leaders hung: for tests and
///   measurements
public record ReplicaOptions(String zone, boolean freezable) {
    public static final ReplicaOptions DEFAULT = new ReplicaOptions("", false);
}

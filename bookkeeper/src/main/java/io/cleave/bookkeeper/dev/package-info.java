/// A cluster for development and tests on one machine: a ZooKeeper, bookies and a node, each in its
/// own process, from the jars of this build.
///
/// What always holds:
///
/// - The folder of the cluster lists all its processes, and has a file with the output of each. The
///   processes continue when the command ends.
/// - A file lock admits one command at a time.
/// - A process keeps its ports when it is started again.
/// - A process is known by its id and its start time, so that a later process with the same id is
///   not taken for it.
///
/// Begin with [DevCluster]. `ClusterFile` is the list of the processes.
@NullMarked
package io.cleave.bookkeeper.dev;

import org.jspecify.annotations.NullMarked;

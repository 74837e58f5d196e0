/// A cluster for development and tests on one machine: a ZooKeeper, bookies and a node, each in its
/// own process, from the jars of this build.
///
/// What always holds: the folder of the cluster lists all its processes, which continue when the
/// command ends, and a file lock admits one command at a time.
///
/// Begin with [DevCluster].
@NullMarked
package io.cleave.bookkeeper.dev;

import org.jspecify.annotations.NullMarked;

/// A cluster for development and tests on one machine: a ZooKeeper, bookies and a node, each a
/// process of its own, from the jars of this build. Begin with [DevCluster].
@NullMarked
package io.cleave.bookkeeper.dev;

import org.jspecify.annotations.NullMarked;

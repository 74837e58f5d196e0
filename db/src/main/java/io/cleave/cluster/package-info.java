/// The tree of directories and tables, and the tablets of each table: which tablet holds which key,
/// and which cell the tablet is in. Carries out every change to the tree, and splits, merges and
/// moves tablets.
///
/// The cells are right about tablets, the catalog about tables. Tablets exist before the catalog
/// names them, and are removed after the catalog has dropped them.
///
/// Begin with [io.cleave.cluster.Scheme], the interface for other packages, and
/// [io.cleave.cluster.LocalCluster], which implements it for one process with its user cells.
/// [io.cleave.cluster.TabletMap] routes keys to tablets. `Partitioner` splits and merges tablets
/// automatically.
@NullMarked
package io.cleave.cluster;

import org.jspecify.annotations.NullMarked;

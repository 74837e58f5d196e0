/// Which tablet holds which key and where it lives; carries out every change of the tree of tables.
///
/// [io.cleave.cluster.Scheme] is what others ask; [io.cleave.cluster.LocalCluster] answers for one
/// process with its user cells. [io.cleave.cluster.TabletMap] routes keys.
@NullMarked
package io.cleave.cluster;

import org.jspecify.annotations.NullMarked;

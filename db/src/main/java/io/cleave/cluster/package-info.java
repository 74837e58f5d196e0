/// The tablets of each table: which tablet holds which key, and which cell the tablet is in.
/// Splits, merges and moves tablets, and keeps the read replicas of cells.
///
/// The cells are right about tablets, the catalog about tables. Tablets exist before the catalog
/// names them, and are removed after the catalog has dropped them; `Reconciliation` finds the
/// differences that a crash leaves. A change of a table or of its tablets holds the lock of the
/// table ([io.cleave.cluster.HeldTables]).
///
/// Begin with [io.cleave.cluster.Tablets], which knows the tables and their tablets, and
/// [io.cleave.cluster.TabletMap], which routes keys to tablets. [io.cleave.cluster.Resharding]
/// splits, merges and moves.
@NullMarked
package io.cleave.cluster;

import org.jspecify.annotations.NullMarked;

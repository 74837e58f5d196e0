/// Snapshots, optimistic locks and the commit across tablets.
@NullMarked
package io.cleave.txn;

import org.jspecify.annotations.NullMarked;

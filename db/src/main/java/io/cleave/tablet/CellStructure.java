package io.cleave.tablet;

import io.cleave.lsm.table.Expiry;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletSpec;

import java.util.List;

/// The tablets of a cell, for those who create, change and drop them. Arguments and answers are
/// values. A cell of this process is called directly.
///
/// A change returns when it is durable. It throws a [io.cleave.base.StatusException] with
/// UNAVAILABLE if the cell takes no changes now, or if a tablet that the change needs is gone.
///
/// Threads: any.
public interface CellStructure {
    /// The tablets that serve keys here, without retired ones.
    List<Route> tablets();

    /// The route to a tablet of this cell; the tablet must be here.
    Route route(long tabletId);

    /// Tablets that were on their way to other cells when the log ended, or are now.
    List<DetachedTablet> detached();

    /// Creates empty tablets. Their routes are in the order of `tablets`.
    List<Route> create(List<TabletSpec> tablets);

    /// Files written from now on have these settings. Existing files get them when they are
    /// compacted. Tablets that are gone are left out.
    void configure(List<Long> tabletIds, TreeSettings settings);

    /// From now on the tablets refuse commits that were made for an earlier version of their table.
    /// Returns when this is durable, and when every commit that was accepted before has its
    /// timestamp or was aborted. Returns false, and changes nothing, if a tablet is no longer here.
    boolean requireVersion(long version, List<Long> tabletIds);

    /// Drops the tablets, and deletes their files unless another tablet uses them too.
    void drop(List<Long> tabletIds);

    /// Splits a tablet. The children cover its range, in key order. The children take reads and
    /// writes before the split is durable.
    List<Route> split(long tabletId, List<TabletSpec> children);

    /// Merges neighbouring tablets, given in key order, into one.
    Route merge(List<Long> tabletIds, TabletSpec merged);

    /// Moves a tablet to another cell of the same process. Returns when the tablet is durable
    /// there. This cell keeps the tablet as detached until it is dropped here.
    Route move(long tabletId, CellService target);

    /// Cancels the move of a detached tablet: the tablet stays here.
    void resume(long tabletId);

    /// Writes the current memtables of these tablets to files. Returns when the files belong to the
    /// tablets.
    void flush(List<Long> tabletIds);

    /// Compacts everything that is in these tablets now into files of the last level, with the
    /// current settings and without versions that no snapshot can see. A second call finds nothing
    /// to do. Throws UNAVAILABLE if the compaction could not be done.
    void compact(List<Long> tabletIds);

    /// Erases all rows of a key range of one tablet. The time this takes does not depend on the
    /// number of rows. Returns when the erase is durable and visible.
    CommitResult eraseRange(long tabletId, KeyRange range);

    /// Erases files of a tablet that have expired as a whole, without reading their rows. A file
    /// has expired if the times in the expiry column are at most `throughMicros` and nothing newer
    /// has its keys. Files with keys that a multi-cell transaction holds stay. Returns the number
    /// of rows when the erase is durable and visible; 0 if the tablet is gone, or if it requires a
    /// later version of its table than `tableVersion`.
    long eraseExpired(long tabletId, long tableVersion, Expiry expiry, long throughMicros);

    /// Erases files of a tablet whose keys lie in a range that has expired for good. Otherwise like
    /// `eraseExpired` by time.
    long eraseExpired(long tabletId, long tableVersion, KeyRange expired);

    /// Announces a load of rows that are older than all rows of this table. Until it ends, the
    /// tablets of the table keep all files on level 0, so that the loaded files can go below them.
    void awaitLoad(long tableId);

    /// The announced load has finished, or will not come.
    void endLoad(long tableId);
}

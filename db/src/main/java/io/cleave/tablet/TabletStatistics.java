package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.lsm.KeyShare;
import io.cleave.lsm.TreeStatistics;
import io.cleave.lsm.table.Expiry;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletTraffic;
import io.cleave.tablet.meter.KeyReservoir.Access;
import io.cleave.tablet.meter.KeyReservoir.Sample;
import io.cleave.tablet.meter.LoadHistory;
import io.cleave.tablet.meter.TabletMeter.Totals;
import io.cleave.value.Type;

import java.util.List;
import java.util.Optional;

/// What one tablet says about itself: its size, its load, and estimates that need no reading of
/// rows. Arguments and answers are values. A retired tablet gives its last figures.
///
/// Counters start when the tablet is opened in its cell. Nothing that must be right depends on a
/// figure.
///
/// Threads: any.
public interface TabletStatistics {
    long tableId();

    /// The tablet refuses commits that were made for an earlier version of its table.
    long minVersion();

    /// The current storage settings.
    TreeSettings settings();

    /// The sizes of memtables and files. Computed by each call.
    TreeStatistics statistics();

    /// Memory of the blocks that are pinned, as in [#statistics], for less work.
    long pinnedBytes();

    /// Grows with every change of the tablet's contents.
    long changeCount();

    /// Totals since the process started.
    TabletTraffic traffic();

    /// What the tablet has done, and how fast lately. Computed by each call.
    TabletCounters counters();

    /// Continues the rates of the tablets that had these keys before. Called once, for a tablet
    /// that has just been opened.
    void continueRates(TabletCounters earlier);

    /// Rows per second, over about the last minute.
    LoadHistory.Load load();

    /// CPU cores used by this tablet, over about the last minute.
    double cpuCores();

    /// Totals of CPU time, waiting and refused commits, since the process started.
    Totals totals();

    /// CPU time measured in the tablet itself.
    long insideNanos();

    /// Adds this tablet's share of the CPU time spent on requests elsewhere: receiving, planning,
    /// committing and answering them.
    void addOverhead(Access access, long nanos);

    /// Sets the types of the key's columns, by which the sizes of long keys are computed.
    void setKeyTypes(List<Type> keyTypes);

    /// Must be called regularly by code that uses the sampled keys. Starts noting keys, and drops
    /// old ones.
    void look();

    /// Sampled keys of the last seconds, the oldest first.
    List<Sample> sampledKeys();

    /// Approximate number of rows in this tablet's part of the range. Reads no data.
    long estimatedRows(KeyRange range);

    /// Approximate number of rows with an expiry time in `(afterMicros, throughMicros]`. Reads no
    /// data.
    long expiredRows(Expiry expiry, long afterMicros, long throughMicros);

    /// Approximate number of rows in files with keys in this tablet's part of the range. Reads no
    /// data.
    long expiredRows(KeyRange range);

    /// The key of a row with about half of the bytes before it. Empty if the tablet is too small,
    /// or has only just been written.
    Optional<Bytes> medianKey(long snapshot);

    /// Keys of rows that cut the tablet into about `count` parts of equal size, ascending. Fewer if
    /// the tablet has few rows.
    List<KeyShare> quantiles(int count, long snapshot);
}

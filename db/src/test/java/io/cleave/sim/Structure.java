package io.cleave.sim;

import io.cleave.base.Bytes;
import io.cleave.catalog.TabletPlace;

import java.util.List;

/// How the tablets of a server are cut, merged and moved.
interface Structure {
    static Structure of(Service service) {
        throw new io.cleave.base.StatusException(
                io.cleave.base.Status.UNSUPPORTED, service.toString());
    }

    /// In key order.
    List<TabletPlace> tablets(String path);

    List<Long> cells();

    /// Cuts the tablets at these keys, which are in order.
    void split(String path, List<Bytes> keys);

    /// Makes one tablet of so many neighbours.
    void merge(String path, long firstTabletId, int count);

    void move(String path, long tabletId, long cellId);
}

package io.cleave.balance.yt.reshard;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/// The tablets that are in no action, in key order. Each is made when it is read.
final class LeftTablets extends AbstractList<LeftTablet> {
    private final int[] indexes;
    private final IntFunction<LeftTablet> maker;

    private LeftTablets(int[] indexes, IntFunction<LeftTablet> maker) {
        this.indexes = indexes;
        this.maker = maker;
    }

    /// @param isInAction for each tablet of the table
    /// @param maker of the tablet with an index; its answers do not change
    static List<LeftTablet> of(boolean[] isInAction, IntFunction<LeftTablet> maker) {
        int[] indexes = new int[isInAction.length];
        int count = 0;
        for (int index = 0; index < isInAction.length; index++) {
            if (!isInAction[index]) {
                indexes[count++] = index;
            }
        }
        return new LeftTablets(Arrays.copyOf(indexes, count), maker);
    }

    @Override
    public LeftTablet get(int position) {
        return maker.apply(indexes[position]);
    }

    @Override
    public int size() {
        return indexes.length;
    }
}

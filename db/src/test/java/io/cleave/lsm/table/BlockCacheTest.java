package io.cleave.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Random;

class BlockCacheTest {
    private static final int BLOCK = 1000;

    private final BlockCache cache = new BlockCache(100 * (BLOCK + 160));

    @Test
    void itHoldsNoMoreThanItMay() {
        var slots = new BlockSlots(1000);
        for (int number = 0; number < 1000; number++) {
            read(slots, number);
            assertThat(cache.bytes()).isLessThanOrEqualTo(100 * (BLOCK + 160));
        }
        assertThat(held(slots)).isEqualTo(100);
        assertThat(cache.misses()).isEqualTo(1000);
    }

    @Test
    void aScanOfEverythingLeavesWhatIsUsed() {
        var used = new BlockSlots(80);
        for (int round = 0; round < 3; round++) {
            for (int number = 0; number < 80; number++) {
                read(used, number);
            }
        }
        var scanned = new BlockSlots(10_000);
        for (int number = 0; number < 10_000; number++) {
            read(scanned, number);
        }
        assertThat(held(used)).isEqualTo(80);
    }

    @Test
    void whatComesBackSoonStays() {
        var slots = new BlockSlots(300);
        var random = new Random(1);
        for (int round = 0; round < 20_000; round++) {
            boolean popular = random.nextInt(10) < 8;
            read(slots, popular ? random.nextInt(60) : 60 + random.nextInt(240));
        }
        int popular = 0;
        for (int number = 0; number < 60; number++) {
            popular += slots.get(number) == null ? 0 : 1;
        }
        assertThat(popular).isGreaterThan(55);
    }

    @Test
    void whatIsDroppedGivesItsBytesBack() {
        var kept = new BlockSlots(20);
        var dropped = new BlockSlots(20);
        for (int number = 0; number < 20; number++) {
            read(kept, number);
            read(dropped, number);
        }
        cache.drop(dropped);
        assertThat(held(dropped)).isZero();
        assertThat(held(kept)).isEqualTo(20);
        assertThat(cache.bytes()).isEqualTo(20 * (BLOCK + 160));
    }

    @Test
    void aBlockThatWouldFillItIsNotKept() {
        var slots = new BlockSlots(1);
        Block large = new TestBlock(80_000);
        assertThat(cache.keep(slots, 0, large)).isSameAs(large);
        assertThat(held(slots)).isZero();
    }

    private void read(BlockSlots slots, int number) {
        Block known = slots.get(number);
        if (known == null) {
            cache.keep(slots, number, new TestBlock(BLOCK));
        } else {
            cache.hit(known);
        }
    }

    private static int held(BlockSlots slots) {
        int held = 0;
        for (int number = 0; number < slots.count(); number++) {
            held += slots.get(number) == null ? 0 : 1;
        }
        return held;
    }

    private static final class TestBlock extends Block {
        TestBlock(int bytes) {
            super(new byte[bytes]);
        }
    }
}

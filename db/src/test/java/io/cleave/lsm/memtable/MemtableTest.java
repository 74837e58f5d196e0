package io.cleave.lsm.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.lsm.LsmModel;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowTest;
import io.cleave.lsm.row.Source;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

class MemtableTest {
    private static final Bytes CHANGE = RowTest.change(RowChange.Kind.UPSERT, "1=x");

    @Test
    void keysAreInOrderAndVersionsNewestFirst() {
        var memtable = new Memtable(1);
        memtable.add(Bytes.utf8("b"), 1, CHANGE);
        memtable.add(Bytes.utf8("a"), 2, CHANGE);
        memtable.add(Bytes.utf8("b"), 3, CHANGE);
        memtable.add(Bytes.EMPTY, 3, CHANGE);
        assertThat(versions(memtable)).containsExactly("@3", "a@2", "b@3", "b@1");
        assertThat(memtable.keys()).isEqualTo(3);
    }

    @Test
    void backwardIsTheReverseOfForward() {
        var memtable = new Memtable(1);
        var random = new Random(7);
        for (int count = 0; count < 5000; count++) {
            memtable.add(Bytes.utf8("k" + random.nextInt(3000)), count, CHANGE);
        }
        List<Bytes> forward = new ArrayList<>();
        Source source = memtable.source();
        for (boolean any = source.seek(Bytes.EMPTY); any; any = source.nextKey()) {
            forward.add(key(source));
        }
        List<Bytes> backward = new ArrayList<>();
        for (boolean any = source.seekBefore(null); any; any = source.previousKey()) {
            backward.add(key(source));
        }
        assertThat(forward).isSorted().doesNotHaveDuplicates().hasSize((int) memtable.keys());
        assertThat(backward).isEqualTo(forward.reversed());
    }

    @Test
    void sizeGrowsWithWhatIsAddedAndIsTheSameEachTime() {
        var one = new Memtable(1);
        var two = new Memtable(1);
        for (int count = 0; count < 1000; count++) {
            long before = one.bytes();
            one.add(Bytes.utf8("k" + count % 300), count, CHANGE);
            two.add(Bytes.utf8("k" + count % 300), count, CHANGE);
            assertThat(one.bytes()).isGreaterThan(before + CHANGE.length());
        }
        assertThat(two.bytes()).isEqualTo(one.bytes());
    }

    @Test
    void sizeIsWhatKeysLinksAndVersionsTakeToTheByte() {
        var memtable = new Memtable(1);
        assertThat(memtable.bytes()).isZero();
        memtable.add(Bytes.utf8("ninebytes"), 1, CHANGE);
        int keyWords = 2;
        int version = 8 + 1 + CHANGE.length();
        long links = memtable.bytes() - 8 * (1 + keyWords) - version;
        assertThat(links).isPositive().matches(bytes -> bytes % 16 == 0, "whole links");
        memtable.add(Bytes.utf8("ninebytes"), 2, CHANGE);
        int olderLink = 8;
        assertThat(memtable.bytes())
                .isEqualTo(links + 8 * (1 + keyWords) + 2 * version + olderLink);
    }

    @Test
    void allocatedIsMoreThanUsedButNotMuch() {
        var memtable = new Memtable(1);
        assertThat(memtable.allocatedBytes()).isLessThan(1 << 10);
        for (int count = 0; count < 100_000; count++) {
            memtable.add(scattered(count), count, CHANGE);
        }
        assertThat(memtable.allocatedBytes())
                .isBetween(memtable.bytes(), memtable.bytes() + (4 << 20));
    }

    @Test
    void entriesLargerThanAChunkAreKeptWhole() {
        var memtable = new Memtable(1);
        var random = new Random(5);
        Map<Bytes, Bytes> expected = new TreeMap<>();
        for (int count = 0; count < 200; count++) {
            byte[] key = new byte[random.nextInt(10) == 0 ? 1_200_000 + count : 1 + count % 40];
            byte[] change = new byte[random.nextInt(10) == 0 ? 1_500_000 + count : 1 + count];
            random.nextBytes(key);
            random.nextBytes(change);
            expected.put(Bytes.wrap(key), Bytes.wrap(change));
        }
        long timestamp = 0;
        long before = 0;
        for (var entry : expected.entrySet()) {
            memtable.add(entry.getKey(), ++timestamp, entry.getValue());
            long most = memtable.bytes() - before;
            int raw = entry.getKey().length() + entry.getValue().length();
            assertThat(most).isBetween((long) raw, raw + 400L);
            before = memtable.bytes();
        }
        Map<Bytes, Bytes> found = new TreeMap<>();
        MemtableSource source = memtable.source();
        for (boolean any = source.seek(Bytes.EMPTY); any; any = source.nextKey()) {
            found.put(key(source), source.change());
        }
        assertThat(found).isEqualTo(expected);
        for (Bytes key : expected.keySet()) {
            assertThat(source.seek(key)).isTrue();
            assertThat(source.compareKey(key)).isZero();
        }
    }

    /// Each key that is added becomes the neighbour of the one that is read, right before it.
    @Test
    void aGetFindsItsKeyWhileNeighboursAreAdded() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            var memtable = new Memtable(1);
            Bytes wanted = Bytes.utf8("key 999999");
            memtable.add(wanted, 1, RowTest.change(RowChange.Kind.REPLACE, "1=there"));
            var missed = new AtomicInteger();
            var done = new AtomicBoolean();
            var reader =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        while (!done.get()) {
                                            var row = new Row(Projection.ALL);
                                            row.begin(wanted);
                                            memtable.mergeInto(
                                                    row, wanted, hash(wanted), 10, ReadWatch.NONE);
                                            if (!row.exists()) {
                                                missed.incrementAndGet();
                                            }
                                        }
                                    });
            for (int number = 0; number < 20_000; number++) {
                Bytes key = Bytes.utf8("key %06d".formatted(number));
                memtable.add(key, 2, RowTest.change(RowChange.Kind.REPLACE, "1=x"));
            }
            done.set(true);
            reader.join();
            assertThat(missed).hasValue(0);
        }
    }

    /// Keys of all lengths over two letters, one of them zero: many are the beginning of another.
    @Test
    void anyCommonPrefixIsRightForAnyKeys() {
        long seed = Long.getLong("seed", 11L);
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Bytes common = randomKey(random, 12);
            var memtable = new Memtable(1, common);
            var expected = new TreeMap<Bytes, Long>();
            for (int count = 0; count < 60; count++) {
                Bytes key = randomKey(random, 20);
                memtable.add(key, count, CHANGE);
                expected.put(key, (long) count);
            }
            Source source = memtable.source();
            for (int count = 0; count < 60; count++) {
                Bytes bound = randomKey(random, 20);
                String why = "-Dseed=" + seed + " round " + round;
                Bytes atLeast = source.seek(bound) ? key(source) : null;
                assertThat(atLeast).as(why).isEqualTo(expected.ceilingKey(bound));
                Bytes less = source.seekBefore(bound) ? key(source) : null;
                assertThat(less).as(why).isEqualTo(expected.lowerKey(bound));
                var row = new Row(Projection.ALL);
                row.begin(bound);
                memtable.mergeInto(row, bound, hash(bound), Long.MAX_VALUE, ReadWatch.NONE);
                assertThat(row.exists()).as(why).isEqualTo(expected.containsKey(bound));
            }
            assertThat(expected.firstKey().startsWith(memtable.commonPrefix())).isTrue();
            assertThat(expected.lastKey().startsWith(memtable.commonPrefix())).isTrue();
        }
    }

    private static Bytes randomKey(Random random, int most) {
        byte[] key = new byte[random.nextInt(most + 1)];
        for (int index = 0; index < key.length; index++) {
            key[index] = (byte) (random.nextInt(12) == 0 ? 0xA5 : 0);
        }
        return Bytes.wrap(key);
    }

    @Test
    void aReadOfOneKeySeesItsVersionsAsOfTheSnapshot() {
        var memtable = new Memtable(1);
        memtable.add(Bytes.utf8("k"), 1, RowTest.change(RowChange.Kind.REPLACE, "1=a", "2=b"));
        memtable.add(Bytes.utf8("k"), 3, RowTest.change(RowChange.Kind.UPSERT, "2=c"));
        memtable.add(Bytes.utf8("k"), 5, RowChange.ERASE);
        int[] newer = {0};
        var row = new Row(Projection.ALL);
        row.begin(Bytes.utf8("k"));
        assertThat(
                        memtable.mergeInto(
                                row, Bytes.utf8("k"), hash(Bytes.utf8("k")), 4, () -> newer[0]++))
                .isTrue();
        assertThat(newer[0]).isEqualTo(1);
        assertThat(row.timestamp()).isEqualTo(3);
        assertThat(LsmModel.modelRow(row).fields()).isEqualTo(Map.of(1, "a", 2, "c"));
        row.begin(Bytes.utf8("k"));
        assertThat(
                        memtable.mergeInto(
                                row, Bytes.utf8("k"), hash(Bytes.utf8("k")), 6, ReadWatch.NONE))
                .isTrue();
        assertThat(row.exists()).isFalse();
    }

    /// The writer publishes how far it got; a reader must see everything up to there.
    @Test
    void readersSeeAllThatWasAddedBeforeTheyBegan() {
        var memtable = new Memtable(1);
        var published = new AtomicLong(-1);
        int total = 30_000;
        var reader =
                CompletableFuture.runAsync(
                        () -> {
                            for (long upTo = -1; upTo < total - 1; upTo = published.get()) {
                                checkSees(memtable, published.get());
                            }
                        });
        for (int count = 0; count < total; count++) {
            memtable.add(scattered(count), count, CHANGE);
            published.setRelease(count);
        }
        reader.join();
        assertThat(memtable.keys()).isEqualTo(total);
    }

    /// Ascending keys, each with several versions, while others seek what was there before.
    @Test
    void readersFindEachKeyWhileOthersAreAddedBesideIt() {
        var memtable = new Memtable(1);
        var published = new AtomicLong(-1);
        int total = 60_000;
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int count = 0; count < 2; count++) {
            var random = new Random(count);
            readers.add(
                    CompletableFuture.runAsync(
                            () -> findPublished(memtable, published, random, total)));
        }
        for (int count = 0; count < total; count++) {
            Bytes key = count % 3 == 0 ? scattered(count / 3) : Bytes.utf8("x" + count);
            memtable.add(key, count, RowTest.change(RowChange.Kind.REPLACE, "1=" + count));
            published.setRelease(count);
        }
        readers.forEach(CompletableFuture::join);
    }

    /// Few keys that are written again and again, while others make the index grow.
    @Test
    void aReadSeesTheNewestVersionWhileTheIndexGrows() throws InterruptedException {
        var memtable = new Memtable(1);
        int rewritten = 64;
        int total = 120_000;
        var published = new AtomicLong(-1);
        var reading = new CountDownLatch(1);
        var reader =
                CompletableFuture.runAsync(
                        () -> {
                            reading.countDown();
                            var random = new Random(1);
                            var row = new Row(Projection.ALL);
                            for (long upTo = -1; upTo < total - 1; upTo = published.get()) {
                                long newest = published.get() / 2;
                                int number = random.nextInt(rewritten);
                                if (newest < rewritten) {
                                    continue;
                                }
                                Bytes key = Bytes.utf8("again" + number);
                                row.begin(key);
                                memtable.mergeInto(
                                        row, key, hash(key), Long.MAX_VALUE, ReadWatch.NONE);
                                long since = newest - Math.floorMod(newest - number, rewritten);
                                assertThat(row.timestamp()).isGreaterThanOrEqualTo(since);
                            }
                        });
        reading.await();
        for (int count = 0; count < total; count++) {
            int turn = count / 2;
            Bytes key = count % 2 == 0 ? Bytes.utf8("again" + turn % rewritten) : scattered(count);
            memtable.add(key, turn, CHANGE);
            published.setRelease(count);
        }
        reader.join();
    }

    private static void findPublished(
            Memtable memtable, AtomicLong published, Random random, int total) {
        Source source = memtable.source();
        var row = new Row(Projection.ALL);
        for (long upTo = published.get(); upTo < total - 1; upTo = published.get()) {
            if (upTo < 0) {
                continue;
            }
            int count = (int) random.nextLong(upTo + 1);
            Bytes key = count % 3 == 0 ? scattered(count / 3) : Bytes.utf8("x" + count);
            assertThat(source.seek(key)).isTrue();
            assertThat(key(source)).isEqualTo(key);
            assertThat(source.seekBefore(key.successor())).isTrue();
            assertThat(key(source)).isEqualTo(key);
            row.begin(key);
            memtable.mergeInto(row, key, hash(key), Long.MAX_VALUE, ReadWatch.NONE);
            assertThat(LsmModel.modelRow(row).fields()).isEqualTo(Map.of(1, "" + count));
            boolean any = source.previousKey();
            assertThat(!any || key(source).compareTo(key) < 0).isTrue();
        }
    }

    private static void checkSees(Memtable memtable, long upTo) {
        int seen = 0;
        Source source = memtable.source();
        for (boolean any = source.seek(Bytes.EMPTY); any; any = source.nextKey()) {
            seen += source.timestamp <= upTo ? 1 : 0;
        }
        assertThat(seen).isEqualTo((int) upTo + 1);
        seen = 0;
        for (boolean any = source.seekBefore(null); any; any = source.previousKey()) {
            seen += source.timestamp <= upTo ? 1 : 0;
        }
        assertThat(seen).isEqualTo((int) upTo + 1);
    }

    /// Different for each number, in no order.
    private static Bytes scattered(int number) {
        return Bytes.utf8(Integer.toHexString(number * 0x9e3779b1));
    }

    private static Bytes key(Source source) {
        return Bytes.copyOf(source.key, 0, source.keyBytes);
    }

    private static List<String> versions(Memtable memtable) {
        List<String> found = new ArrayList<>();
        Source source = memtable.source();
        for (boolean any = source.seek(Bytes.EMPTY); any; any = source.nextKey()) {
            do {
                found.add(key(source).utf8() + "@" + source.timestamp);
            } while (source.nextVersion());
        }
        return found;
    }

    private static long hash(Bytes key) {
        return Keys.hash(key.array(), key.length());
    }
}

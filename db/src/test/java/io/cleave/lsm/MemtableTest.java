package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
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
            forward.add(Bytes.copyOf(source.key, 0, source.keyBytes));
        }
        List<Bytes> backward = new ArrayList<>();
        for (boolean any = source.seekBefore(null); any; any = source.previousKey()) {
            backward.add(Bytes.copyOf(source.key, 0, source.keyBytes));
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

    private static List<String> versions(Memtable memtable) {
        List<String> found = new ArrayList<>();
        Source source = memtable.source();
        for (boolean any = source.seek(Bytes.EMPTY); any; any = source.nextKey()) {
            do {
                Bytes key = Bytes.copyOf(source.key, 0, source.keyBytes);
                found.add(key.utf8() + "@" + source.timestamp);
            } while (source.nextVersion());
        }
        return found;
    }
}

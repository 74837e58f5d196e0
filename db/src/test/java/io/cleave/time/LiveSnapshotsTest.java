package io.cleave.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

class LiveSnapshotsTest {
    private final LiveSnapshots live = new LiveSnapshots();

    @Test
    void aMomentLivesAsLongAsItHasReaders() {
        live.take(5);
        live.take(5);
        live.take(7);
        assertThat(live.release(5)).isTrue();
        assertThat(live.oldest()).isEqualTo(5);
        assertThat(live.release(5)).isTrue();
        assertThat(live.oldest()).isEqualTo(7);
        assertThat(live.release(7)).isTrue();
        assertThat(live.isEmpty()).isTrue();
        assertThat(live.release(7)).isFalse();
    }

    @Test
    void oneThatIsReadForLongIsTheOldestAllTheTime() {
        live.take(1);
        for (long moment = 2; moment < 1000; moment++) {
            live.take(moment);
            if (moment > 10) {
                assertThat(live.release(moment - 8)).isTrue();
            }
        }
        assertThat(live.oldest()).isEqualTo(1);
        assertThat(live.release(1)).isTrue();
        assertThat(live.oldest()).isEqualTo(2);
    }

    @Test
    void itCountsAsAMapDoes() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new Random(seed);
        TreeMap<Long, Integer> model = new TreeMap<>();
        List<Long> taken = new ArrayList<>();
        long now = 0;
        for (int step = 0; step < 20_000; step++) {
            if (taken.isEmpty() || random.nextInt(100) < 50) {
                now += random.nextInt(3);
                live.take(now);
                model.merge(now, 1, Integer::sum);
                taken.add(now);
            } else {
                int which =
                        random.nextInt(10) == 0
                                ? random.nextInt(taken.size())
                                : taken.size() - 1 - random.nextInt(Math.min(5, taken.size()));
                long moment = taken.remove(which);
                assertThat(live.release(moment)).isTrue();
                model.computeIfPresent(moment, (_, readers) -> readers == 1 ? null : readers - 1);
            }
            assertThat(live.isEmpty()).as("-Dseed=" + seed).isEqualTo(model.isEmpty());
            if (!model.isEmpty()) {
                assertThat(live.oldest()).as("-Dseed=" + seed).isEqualTo(model.firstKey());
            }
        }
    }
}

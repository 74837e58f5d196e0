package io.cleave.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

class PersistentMapFuzzTest {
    private static final long SEED = Long.getLong("seed", new Random().nextInt());

    @Test
    void itIsASortedMapAndOldOnesDoNotChange() {
        var random = new Random(SEED);
        var model = new TreeMap<Integer, Integer>();
        PersistentMap<Integer, Integer> map = PersistentMap.empty();
        List<PersistentMap<Integer, Integer>> maps = new ArrayList<>();
        List<TreeMap<Integer, Integer>> models = new ArrayList<>();
        for (int round = 0; round < 20_000; round++) {
            int key = random.nextInt(300);
            if (random.nextInt(5) < 2) {
                map = map.without(key);
                model.remove(key);
            } else {
                map = map.with(key, round);
                model.put(key, round);
            }
            if (round % 500 == 0) {
                maps.add(map);
                models.add(new TreeMap<>(model));
            }
            int from = random.nextInt(300);
            PersistentMap.Cursor<Integer, Integer> cursor = map.cursor(from);
            Integer ceiling = model.ceilingKey(from);
            assertThat(cursor.isValid() ? cursor.key() : null)
                    .as("-Dseed=%d", SEED)
                    .isEqualTo(ceiling);
        }
        for (int index = 0; index < maps.size(); index++) {
            var found = new TreeMap<Integer, Integer>();
            maps.get(index).forEach(found::put);
            assertThat(found).as("-Dseed=%d", SEED).isEqualTo(models.get(index));
            assertThat(maps.get(index).size()).isEqualTo(found.size());
        }
    }
}

package io.cleave.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.catalog.Catalog;
import io.cleave.testkit.TestStore;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

class CatalogIdsTest {
    private static final int THREADS = 4;
    private static final int IDS = 20_000;

    @Test
    void threadsNeverShareAnId() throws InterruptedException {
        try (var store = new TestStore()) {
            var catalog = new Catalog(store.system());
            Set<Long> given = ConcurrentHashMap.newKeySet();
            List<Thread> threads = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                threads.add(
                        Thread.ofPlatform()
                                .start(
                                        () -> {
                                            for (int index = 0; index < IDS; index++) {
                                                given.add(catalog.newId());
                                            }
                                        }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(given).hasSize(THREADS * IDS);
        }
    }
}

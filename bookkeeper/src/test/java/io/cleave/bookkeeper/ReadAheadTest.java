package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.bookkeeper.ReadAhead.Span;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Entries of ten bytes, a hundred of them.
class ReadAheadTest {
    private final ReadAhead ahead = new ReadAhead();
    private final List<Integer> fetched = new ArrayList<>();

    /// Reads one entry, and tells what was asked for on the way.
    private List<Integer> read(int entry) {
        fetched.clear();
        var span = new Span(entry * 10L, entry * 10L + 10, entry, entry);
        byte[] bytes = ahead.window(span, 100, this::fetch).take(entry, this::fetch).join();
        assertThat(bytes).containsExactly(entry);
        return List.copyOf(fetched);
    }

    private CompletableFuture<byte[]> fetch(int entry) {
        fetched.add(entry);
        return CompletableFuture.completedFuture(new byte[] {(byte) entry});
    }

    @Test
    void readsAtRandomFetchNothingElse() {
        assertThat(read(50)).containsExactly(50);
        assertThat(read(7)).containsExactly(7);
        assertThat(read(52)).containsExactly(52);
    }

    @Test
    void aScanFindsItsEntriesOnTheirWay() {
        assertThat(read(0)).containsExactly(0);
        assertThat(read(1)).containsExactly(1, 2, 3);
        assertThat(read(2)).containsExactly(4, 5, 6);
        List<Integer> all = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6));
        for (int entry = 3; entry < 100; entry++) {
            all.addAll(read(entry));
        }
        assertThat(all).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void twoScansDoNotDisturbEachOther() {
        read(0);
        read(50);
        List<Integer> all = new ArrayList<>(List.of(0, 50));
        for (int entry = 1; entry < 30; entry++) {
            all.addAll(read(entry));
            all.addAll(read(50 + entry));
        }
        assertThat(all).doesNotHaveDuplicates();
    }

    @Test
    void whatFailedIsFetchedAgain() {
        read(0);
        var span = new Span(10, 20, 1, 1);
        ReadAhead.Window window =
                ahead.window(
                        span, 100, _ -> CompletableFuture.failedFuture(new RuntimeException()));
        assertThat(window.take(1, this::fetch).join()).containsExactly(1);
    }
}

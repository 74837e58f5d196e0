package io.cleave.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// The table against a plain list of connections, in the order in which they last finished.
class ConnectionTableFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int ROUNDS = 200;
    private static final int STEPS = 300;
    private static final int MAX_PEERS = 8;

    private record Connection(int id, int peer) {}

    @Test
    void whoGoesIsTheOldestUnfinishedOfTheMostCrowdedPeer() {
        System.out.println("-Dseed=" + SEED);
        var random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            int max = 1 + random.nextInt(12);
            new Model(random, max, 1 + random.nextInt(max)).run();
        }
    }

    private static final class Model {
        private final Random random;
        private final int max;
        private final int maxOfPeer;
        private final ConnectionTable<Connection> table;
        private final List<Connection> present = new ArrayList<>();
        private final Set<Connection> working = new HashSet<>();

        Model(Random random, int max, int maxOfPeer) {
            this.random = random;
            this.max = max;
            this.maxOfPeer = maxOfPeer;
            this.table = new ConnectionTable<>(max, maxOfPeer);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                if (present.isEmpty() || random.nextInt(2) == 0) {
                    admit(new Connection(step, random.nextInt(MAX_PEERS)));
                } else {
                    change(present.get(random.nextInt(present.size())));
                }
                assertThat(table.size()).isEqualTo(present.size()).isLessThanOrEqualTo(max);
            }
        }

        private void change(Connection connection) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    table.begin(connection);
                    working.add(connection);
                }
                case 1 -> {
                    table.finish(connection);
                    working.remove(connection);
                    present.remove(connection);
                    present.add(connection);
                }
                default -> {
                    table.leave(connection);
                    working.remove(connection);
                    present.remove(connection);
                }
            }
        }

        private void admit(Connection connection) {
            boolean isPeerFull = count(connection.peer) >= maxOfPeer;
            boolean isFull = present.size() >= max;
            var admission = table.admit(connection, connection.peer);
            List<Connection> candidates =
                    present.stream()
                            .filter(each -> !working.contains(each))
                            .filter(each -> !isPeerFull || each.peer == connection.peer)
                            .toList();
            boolean mustEvict = isPeerFull || isFull;
            assertThat(admission.isAdmitted()).isEqualTo(!mustEvict || !candidates.isEmpty());
            assertThat(admission.evicted().isPresent())
                    .isEqualTo(mustEvict && !candidates.isEmpty());
            admission.evicted().ifPresent(evicted -> checkEvicted(evicted, candidates));
            if (admission.isAdmitted()) {
                present.add(connection);
            }
        }

        private void checkEvicted(Connection evicted, List<Connection> candidates) {
            long most = candidates.stream().mapToLong(each -> count(each.peer)).max().orElse(0);
            assertThat(count(evicted.peer)).isEqualTo(most);
            Connection oldest =
                    candidates.stream()
                            .filter(each -> each.peer == evicted.peer)
                            .findFirst()
                            .orElseThrow();
            assertThat(evicted).isEqualTo(oldest);
            present.remove(evicted);
        }

        private long count(int peer) {
            return present.stream().filter(each -> each.peer == peer).count();
        }
    }
}

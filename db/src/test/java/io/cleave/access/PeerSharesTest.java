package io.cleave.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.PeerShares.AboveShare;
import io.cleave.access.PeerShares.Full;

import org.junit.jupiter.api.Test;

class PeerSharesTest {
    private static final Caller.Peer GREEDY = new Caller.Peer("10.0.0.1", "");
    private static final Caller.Peer MODEST = new Caller.Peer("10.0.0.2", "");
    private static final Caller.Peer INSIDE = new Caller.Peer("", "");

    private final PeerShares shares = new PeerShares(100);

    private void takeUntilRefused(Caller.Peer peer, int expected) {
        int own = 0;
        while (shares.take(peer).isEmpty()) {
            own++;
        }
        assertThat(own).isEqualTo(expected);
    }

    @Test
    void oneClientDoesNotShutOutTheOthers() {
        takeUntilRefused(GREEDY, 75);
        assertThat(shares.take(GREEDY)).contains(new AboveShare(75, 1, 50, 75));
        takeUntilRefused(MODEST, 25);
        assertThat(shares.take(MODEST)).contains(new Full(100));
    }

    @Test
    void aPlaceThatIsGivenBackIsForOthers() {
        takeUntilRefused(GREEDY, 75);
        shares.give(GREEDY);
        assertThat(shares.take(MODEST)).isEmpty();
        assertThat(shares.take(GREEDY)).contains(new AboveShare(74, 2, 33, 75));
        assertThat(shares.taken()).isEqualTo(75);
    }

    @Test
    void callersInsideTheProcessMayTakeAll() {
        takeUntilRefused(INSIDE, 100);
    }
}

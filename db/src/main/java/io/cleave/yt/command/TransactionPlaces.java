package io.cleave.yt.command;

import io.cleave.access.Caller;
import io.cleave.access.PeerShares;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.Optional;

/// Limits the number of open transactions of one kind, in total and for each client. Clients retry
/// a refused transaction.
///
/// Threads: any.
public final class TransactionPlaces {
    private final String what;
    private final int places;
    private final PeerShares shares;

    /// `what` names the transactions in messages, such as `open transactions`.
    public TransactionPlaces(String what, int places) {
        this.what = what;
        this.places = places;
        shares = new PeerShares(places);
    }

    public void take(Caller.Peer peer) {
        Optional<PeerShares.Refusal> refusal = shares.take(peer);
        if (refusal.isPresent()) {
            throw new YtException(YtCodes.REQUEST_QUEUE_SIZE_LIMIT, text(peer, refusal.get()));
        }
    }

    private String text(Caller.Peer peer, PeerShares.Refusal refusal) {
        return switch (refusal) {
            case PeerShares.Full(int all) -> "Too many %s: limit %d".formatted(what, all);
            case PeerShares.AboveShare(int own, int peers, int share, int sharedFrom) ->
                    ("Too many %s: %s has %d. While more than %d of %d are open, each of %d clients"
                                    + " may have at most %d. Commit or abort unused ones, or try"
                                    + " again later")
                            .formatted(what, peer, own, sharedFrom, places, peers, share);
        };
    }

    public void give(Caller.Peer peer) {
        shares.give(peer);
    }
}

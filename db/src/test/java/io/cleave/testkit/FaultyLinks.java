package io.cleave.testkit;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.tablet.lock.LockState;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.CellLink;
import io.cleave.tablet.twophase.CellLinks;
import io.cleave.tablet.twophase.DecideResult;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PrepareResult;

import java.util.List;
import java.util.function.Supplier;

/// Ways to cells on which calls, or their answers, are lost or come twice, as a test says.
public final class FaultyLinks implements CellLinks {
    private final CellLinks links;
    private final Faults faults;

    public FaultyLinks(CellLinks links, Faults faults) {
        this.links = links;
        this.faults = faults;
    }

    /// What becomes of a call.
    public enum Fault {
        NONE,
        /// It does not arrive.
        LOST,
        /// It arrives, and nobody hears the answer.
        ANSWER_LOST,
        TWICE
    }

    /// Says what becomes of a call, by the name of its method and the cell it goes to.
    public interface Faults {
        Fault of(String call, long cellId);
    }

    @Override
    public CellLink find(long cellId) {
        return new Link(cellId);
    }

    private final class Link implements CellLink {
        private final long cellId;

        Link(long cellId) {
            this.cellId = cellId;
        }

        private <T> T call(String name, Supplier<T> body) {
            Fault fault = faults.of(name, cellId);
            if (fault == Fault.LOST) {
                throw lost(name);
            }
            T answer = body.get();
            if (fault == Fault.TWICE) {
                answer = body.get();
            }
            if (fault == Fault.ANSWER_LOST) {
                throw lost(name);
            }
            return answer;
        }

        private void tell(String name, Runnable body) {
            var _ =
                    call(
                            name,
                            () -> {
                                body.run();
                                return true;
                            });
        }

        private StatusException lost(String name) {
            return new StatusException(Status.UNAVAILABLE, name + " to cell " + cellId + " lost");
        }

        @Override
        public long id() {
            return cellId;
        }

        @Override
        public void admit(List<TabletWrites> writes) {
            tell("admit", () -> links.find(cellId).admit(writes));
        }

        @Override
        public PrepareResult prepare(Preparation preparation) {
            return call("prepare", () -> links.find(cellId).prepare(preparation));
        }

        @Override
        public LockState awaitPrepared(long transactionId) {
            return call("awaitPrepared", () -> links.find(cellId).awaitPrepared(transactionId));
        }

        @Override
        public DecideResult decide(long transactionId) {
            return call("decide", () -> links.find(cellId).decide(transactionId));
        }

        @Override
        public void outcome(long transactionId, CommitDecision decision) {
            tell("outcome", () -> links.find(cellId).outcome(transactionId, decision));
        }

        @Override
        public void confirm(long transactionId, long timestamp) {
            tell("confirm", () -> links.find(cellId).confirm(transactionId, timestamp));
        }

        @Override
        public CommitDecision resolve(long transactionId) {
            return call("resolve", () -> links.find(cellId).resolve(transactionId));
        }

        @Override
        public void applied(long transactionId, long participantId) {
            tell("applied", () -> links.find(cellId).applied(transactionId, participantId));
        }

        @Override
        public void finished(List<Long> transactionIds, long participantId) {
            tell("finished", () -> links.find(cellId).finished(transactionIds, participantId));
        }
    }
}

package io.cleave.tablet.twophase;

import io.cleave.base.Bytes;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CellRecord.Decide;
import io.cleave.tablet.record.CellRecord.OfTransaction;
import io.cleave.tablet.record.CellRecord.Outcome;
import io.cleave.tablet.record.CommitDecision;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What a cell has to do about one message of a multi-cell transaction. [Participant] and
/// [Coordinator] decide it; `CellTransactions` does it, in this order: it makes the changes under
/// the cell's lock, lets go of the lock, sends the messages, and gives the answer.
///
/// @param answer to whoever sent the message. A commit is told only when its decision is durable,
///   because a decision that is not may be gone after a crash.
/// @param changes of tablets and log, in this order
/// @param everywhere transactions that all participants have applied: they become visible as soon
///   as their decision is durable
/// @param messages to other cells, or to this one. Each may be lost: the next tick repeats it.
public record TransactionStep<A extends @Nullable Object>(
        A answer, List<Change> changes, List<Long> everywhere, List<Message> messages) {
    public TransactionStep {
        changes = List.copyOf(changes);
        everywhere = List.copyOf(everywhere);
        messages = List.copyOf(messages);
    }

    static <A extends @Nullable Object> TransactionStep<A> answer(A answer) {
        return new TransactionStep<>(answer, List.of(), List.of(), List.of());
    }

    static <A extends @Nullable Object> TransactionStep<A> answer(A answer, Change change) {
        return new TransactionStep<>(answer, List.of(change), List.of(), List.of());
    }

    public static TransactionStep<@Nullable Void> nothing() {
        return answer(null);
    }

    static TransactionStep<@Nullable Void> send(List<Message> messages) {
        return new TransactionStep<>(null, List.of(), List.of(), messages);
    }

    /// A change of the cell's tablets, of its log, or of both.
    public sealed interface Change {
        /// What the log has to remember of it, without the rows of a decision; null if nothing.
        @Nullable OfTransaction record();

        /// Sets intents and pins. `encoded` is the record, if there is one.
        record Prepare(PreparedPart part, Bytes encoded) implements Change {
            @Override
            public @Nullable OfTransaction record() {
                return part.isRecorded()
                        ? new CellRecord.Prepare(
                                part.transactionId(), part.coordinatorId(), part.writes())
                        : null;
            }
        }

        /// The coordinator commits its own part. If no other cell has writes, nobody will ask for
        /// the decision, and an ordinary commit is logged.
        record Decided(PreparedPart part, long timestamp) implements Change {
            @Override
            public @Nullable OfTransaction record() {
                return part.participants().isEmpty()
                        ? null
                        : new Decide(
                                timestamp, part.transactionId(), part.participants(), List.of());
            }
        }

        /// A participant commits its part.
        record Committed(PreparedPart part, long timestamp) implements Change {
            @Override
            public @Nullable OfTransaction record() {
                return part.isRecorded()
                        ? new Outcome(
                                part.transactionId(),
                                new CommitDecision.Commit(timestamp),
                                part.writes())
                        : null;
            }
        }

        /// Removes intents and pins.
        record Aborted(PreparedPart part) implements Change {
            @Override
            public @Nullable OfTransaction record() {
                return part.isRecorded()
                        ? new Outcome(part.transactionId(), new CommitDecision.Abort(), List.of())
                        : null;
            }
        }

        /// Follows every other record of the transaction. When it is durable, so are they.
        record Confirmed(long transactionId, long timestamp) implements Change {
            @Override
            public OfTransaction record() {
                return new Outcome(transactionId, new CommitDecision.Commit(timestamp), List.of());
            }
        }

        /// If this record is lost, the participants confirm again and the decisions are forgotten
        /// again.
        record Forgotten(List<Long> transactionIds) implements Change {
            public Forgotten {
                transactionIds = List.copyOf(transactionIds);
            }

            @Override
            public OfTransaction record() {
                return new CellRecord.Forget(transactionIds);
            }
        }
    }

    /// A message to a cell, as a call of its [CellLink].
    public sealed interface Message {
        long cellId();

        /// To the coordinator: this cell has applied the transaction.
        record Applied(long cellId, long transactionId) implements Message {}

        /// To the coordinator: the outcomes are durable here. If it answers, they need not be told
        /// again.
        record Finished(long cellId, List<Long> transactionIds) implements Message {
            public Finished {
                transactionIds = List.copyOf(transactionIds);
            }
        }

        /// To the coordinator. The answer is the outcome.
        record Resolve(long cellId, long transactionId) implements Message {}

        /// To a participant. If it answers, the outcome is durable there.
        record Confirm(long cellId, long transactionId, long timestamp) implements Message {}
    }
}

package io.cleave.tablet.record;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.tablet.record.CellRecord.Decide;
import io.cleave.tablet.record.CellRecord.Decided;
import io.cleave.tablet.record.CellRecord.Forget;
import io.cleave.tablet.record.CellRecord.OfTransaction;
import io.cleave.tablet.record.CellRecord.Outcome;
import io.cleave.tablet.record.CellRecord.Prepare;
import io.cleave.tablet.record.CellRecord.Transactions;

import java.util.List;

/// The encoding of records of multi-cell transactions; [RecordCodec] explains the notation.
///
/// ```
///  17 prepare       vint transaction, vint coordinator, writes
///  18 decide        u64 timestamp, vint transaction, n × vint participant, writes
///  19 outcome       u64 timestamp (0: aborted), vint transaction, writes
///  20 forget        n × vint transaction
///  21 transactions  n × (vint transaction, vint coordinator, writes),
///                   n × (u64 timestamp, vint transaction, n × vint participant)
/// writes  as in a commit
/// ```
final class TransactionCodec {
    static final byte PREPARE = 17;
    static final byte DECIDE = 18;
    static final byte OUTCOME = 19;
    static final byte FORGET = 20;
    static final byte TRANSACTIONS = 21;

    /// No commit has this timestamp.
    private static final long ABORTED = 0;

    private TransactionCodec() {}

    /// Whether the timestamp follows the kind.
    static boolean hasTimestamp(byte kind) {
        return kind == DECIDE || kind == OUTCOME;
    }

    static void write(ByteWriter out, OfTransaction record) {
        switch (record) {
            case Prepare prepare -> {
                out.putByte(PREPARE);
                writePrepare(out, prepare);
            }
            case Decide(
                            long timestamp,
                            long transactionId,
                            List<Long> participants,
                            List<TabletWrites> writes) -> {
                out.putByte(DECIDE);
                out.putLong(timestamp);
                out.putVarLong(transactionId);
                writeIds(out, participants);
                RecordCodec.writeWrites(out, writes);
            }
            case Outcome(
                            long transactionId,
                            CommitDecision decision,
                            List<TabletWrites> writes) -> {
                out.putByte(OUTCOME);
                out.putLong(decision instanceof CommitDecision.Commit(long at) ? at : ABORTED);
                out.putVarLong(transactionId);
                RecordCodec.writeWrites(out, writes);
            }
            case Forget(List<Long> transactionIds) -> {
                out.putByte(FORGET);
                writeIds(out, transactionIds);
            }
            case Transactions(List<Prepare> prepared, List<Decided> decided) -> {
                out.putByte(TRANSACTIONS);
                out.putVarLong(prepared.size());
                prepared.forEach(each -> writePrepare(out, each));
                out.putVarLong(decided.size());
                for (Decided each : decided) {
                    out.putLong(each.timestamp());
                    out.putVarLong(each.transactionId());
                    writeIds(out, each.participants());
                }
            }
        }
    }

    static Prepare readPrepare(ByteReader in) {
        return new Prepare(in.getVarLong(), in.getVarLong(), RecordCodec.readAllWrites(in));
    }

    static Decide readDecide(ByteReader in) {
        return new Decide(
                in.getLong(), in.getVarLong(), readIds(in), RecordCodec.readAllWrites(in));
    }

    static Outcome readOutcome(ByteReader in) {
        long timestamp = in.getLong();
        return new Outcome(
                in.getVarLong(),
                timestamp == ABORTED
                        ? new CommitDecision.Abort()
                        : new CommitDecision.Commit(timestamp),
                RecordCodec.readAllWrites(in));
    }

    static Forget readForget(ByteReader in) {
        return new Forget(readIds(in));
    }

    static Transactions readTransactions(ByteReader in) {
        return new Transactions(
                RecordCodec.list(in, () -> readPrepare(in)),
                RecordCodec.list(
                        in, () -> new Decided(in.getLong(), in.getVarLong(), readIds(in))));
    }

    private static void writePrepare(ByteWriter out, Prepare prepare) {
        out.putVarLong(prepare.transactionId());
        out.putVarLong(prepare.coordinatorId());
        RecordCodec.writeWrites(out, prepare.writes());
    }

    private static void writeIds(ByteWriter out, List<Long> ids) {
        out.putVarLong(ids.size());
        ids.forEach(out::putVarLong);
    }

    private static List<Long> readIds(ByteReader in) {
        return RecordCodec.list(in, in::getVarLong);
    }
}

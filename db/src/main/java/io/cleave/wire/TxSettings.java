package io.cleave.wire;

import io.cleave.query.Session;
import io.cleave.query.TxControl;
import io.cleave.txn.Isolation;
import io.cleave.wire.value.RequestParts;

import tech.ydb.proto.query.YdbQuery;
import tech.ydb.proto.table.YdbTable;

/// Reads the transaction settings of TableService and QueryService. The two services have the same
/// messages in different packages.
final class TxSettings {
    private TxSettings() {}

    static Isolation isolation(YdbTable.TransactionSettings settings) {
        return switch (settings.getTxModeCase()) {
            // YDB assumes serializable if nothing is set.
            case SERIALIZABLE_READ_WRITE, TXMODE_NOT_SET -> Isolation.SERIALIZABLE;
            case ONLINE_READ_ONLY ->
                    online(settings.getOnlineReadOnly().getAllowInconsistentReads());
            case STALE_READ_ONLY -> Isolation.STALE_READ_ONLY;
            case SNAPSHOT_READ_ONLY -> Isolation.SNAPSHOT_READ_ONLY;
            case SNAPSHOT_READ_WRITE -> Isolation.SNAPSHOT_READ_WRITE;
        };
    }

    static Isolation isolation(YdbQuery.TransactionSettings settings) {
        return switch (settings.getTxModeCase()) {
            case SERIALIZABLE_READ_WRITE, TXMODE_NOT_SET -> Isolation.SERIALIZABLE;
            case ONLINE_READ_ONLY ->
                    online(settings.getOnlineReadOnly().getAllowInconsistentReads());
            case STALE_READ_ONLY -> Isolation.STALE_READ_ONLY;
            case SNAPSHOT_READ_ONLY -> Isolation.SNAPSHOT_READ_ONLY;
            case SNAPSHOT_READ_WRITE -> Isolation.SNAPSHOT_READ_WRITE;
        };
    }

    /// TableService requires a transaction selector, and refuses to keep a transaction open that
    /// has no snapshot.
    static TxControl control(YdbTable.TransactionControl control) {
        return switch (control.getTxSelectorCase()) {
            case TX_ID -> new TxControl.Existing(control.getTxId(), control.getCommitTx());
            case BEGIN_TX -> {
                Isolation isolation = isolation(control.getBeginTx());
                if (!control.getCommitTx() && !isolation.interactive()) {
                    throw RequestParts.bad(
                            "open transactions not supported for transaction mode "
                                    + Session.modeName(isolation));
                }
                yield new TxControl.Begin(isolation, control.getCommitTx());
            }
            case TXSELECTOR_NOT_SET -> throw RequestParts.bad("tx_selector must be set");
        };
    }

    /// In QueryService, no transaction control means an implicit transaction.
    static TxControl control(YdbQuery.ExecuteQueryRequest request) {
        if (!request.hasTxControl()) {
            return TxControl.IMPLICIT;
        }
        YdbQuery.TransactionControl control = request.getTxControl();
        return switch (control.getTxSelectorCase()) {
            case TX_ID -> new TxControl.Existing(control.getTxId(), control.getCommitTx());
            case BEGIN_TX ->
                    new TxControl.Begin(isolation(control.getBeginTx()), control.getCommitTx());
            case TXSELECTOR_NOT_SET -> throw RequestParts.bad("Invalid tx_control settings");
        };
    }

    private static Isolation online(boolean inconsistent) {
        return inconsistent ? Isolation.ONLINE_INCONSISTENT : Isolation.ONLINE_READ_ONLY;
    }
}

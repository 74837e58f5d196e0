package io.cleave.bookkeeper;

/// How far a log is known to be durable: the entry of a ledger, and the position.
///
/// @param lastEntry the last durable entry of the ledger; -1 if there is none yet
/// @param end one past the last durable record
record LedgerFrontier(long ledgerId, long lastEntry, long end) {
    static final long NO_LEDGER = -1;
    static final long NO_ENTRY = -1;
    static final LedgerFrontier EMPTY = new LedgerFrontier(NO_LEDGER, NO_ENTRY, 0);
}

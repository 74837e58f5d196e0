package io.cleave.bookkeeper;

import io.cleave.base.CorruptionException;
import io.netty.buffer.ByteBuf;

import org.apache.bookkeeper.client.BKException.BKDigestMatchException;
import org.apache.bookkeeper.proto.checksum.DigestManager;
import org.jspecify.annotations.Nullable;

/// Verifies the checksum of entries that were read from a single bookie. BookKeeper's client does
/// this only for entries that it reads itself. Threads: one at a time.
final class EntryCheck {
    private final DigestManager digest;
    private final String name;

    /// `name` is for messages.
    EntryCheck(Ledgers ledgers, long ledgerId, String name) {
        digest = ledgers.digest(ledgerId);
        this.name = name;
    }

    /// Returns null if the entry is damaged; another bookie may have an intact copy.
    @Nullable LedgerRecords records(long entryId, ByteBuf body) {
        try {
            ByteBuf content = digest.verifyDigestAndReturnData(entryId, body);
            return LedgerRecords.decode(name, entryId, content);
        } catch (BKDigestMatchException | CorruptionException e) {
            return null;
        }
    }
}

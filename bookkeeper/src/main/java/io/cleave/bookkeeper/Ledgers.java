package io.cleave.bookkeeper;

import io.cleave.log.LogException;
import io.netty.buffer.ByteBufAllocator;

import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.Handle;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.proto.BookieClient;
import org.apache.bookkeeper.proto.LedgerMetadataFormat;
import org.apache.bookkeeper.proto.checksum.DigestManager;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Creates, opens and deletes ledgers according to the settings. Each call waits for the answer,
/// but not longer than writes may stall. An interrupt does not make it fail, and is kept. Threads:
/// any.
final class Ledgers {
    /// The key of the ledger metadata that names the log of the ledger.
    static final String LOG = "cleave.log";

    private final BookKeeper client;
    private final BookKeeperSettings settings;
    private final byte[] password;

    Ledgers(BookKeeper client, BookKeeperSettings settings) {
        this.client = client;
        this.settings = settings;
        password = settings.ledgerPassword();
    }

    BookKeeperSettings settings() {
        return settings;
    }

    /// Creates a ledger. If there are not enough bookies, it uses fewer, but never fewer than the
    /// ack quorum: every acknowledged entry has as many copies as usual.
    WriteHandle create(String log) {
        Map<String, byte[]> metadata = Map.of(LOG, log.getBytes(StandardCharsets.UTF_8));
        int ensemble = settings.ensemble();
        while (true) {
            try {
                return create(ensemble, metadata);
            } catch (LogException e) {
                boolean tooFew = codeOf(e) == BKException.Code.NotEnoughBookiesException;
                if (!tooFew) {
                    throw e;
                }
                if (ensemble == settings.ackQuorum()) {
                    throw new TooFewBookiesException(settings, e);
                }
                ensemble--;
            }
        }
    }

    private WriteHandle create(int ensemble, Map<String, byte[]> metadata) {
        return await(
                client.newCreateLedgerOp()
                        .withEnsembleSize(ensemble)
                        .withWriteQuorumSize(Math.min(settings.writeQuorum(), ensemble))
                        .withAckQuorumSize(settings.ackQuorum())
                        .withDigestType(DigestType.CRC32C)
                        .withPassword(password)
                        .withCustomMetadata(metadata)
                        .execute(),
                "making a ledger",
                this::abandon);
    }

    /// Deletes a ledger that was created after the timeout and is in no list.
    private void abandon(WriteHandle late) {
        var _ =
                late.closeAsync()
                        .thenCompose(
                                _ ->
                                        client.newDeleteLedgerOp()
                                                .withLedgerId(late.getId())
                                                .execute());
    }

    /// Fences the writer of the ledger and seals it. Its last entry is final after this.
    ReadHandle recover(long ledgerId) {
        return open(ledgerId, true);
    }

    /// Opens a ledger that may still be written.
    ReadHandle open(long ledgerId) {
        return open(ledgerId, false);
    }

    private ReadHandle open(long ledgerId, boolean withRecovery) {
        return await(
                client.newOpenLedgerOp()
                        .withLedgerId(ledgerId)
                        .withDigestType(DigestType.CRC32C)
                        .withPassword(password)
                        .withRecovery(withRecovery)
                        .execute(),
                (withRecovery ? "recovering" : "opening") + " ledger " + ledgerId);
    }

    /// The client that sends requests to single bookies.
    BookieClient bookieClient() {
        return ((org.apache.bookkeeper.client.BookKeeper) client).getClientCtx().getBookieClient();
    }

    /// For [EntryCheck].
    DigestManager digest(long ledgerId) {
        try {
            return DigestManager.instantiate(
                    ledgerId,
                    password,
                    LedgerMetadataFormat.DigestType.CRC32C,
                    ByteBufAllocator.DEFAULT,
                    false);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Does nothing if the ledger is already gone.
    void delete(long ledgerId) {
        try {
            await(
                    client.newDeleteLedgerOp().withLedgerId(ledgerId).execute(),
                    "deleting ledger " + ledgerId);
        } catch (LogException e) {
            if (!isGone(e)) {
                throw e;
            }
        }
    }

    /// Waits up to the stall timeout. A result that arrives later is closed.
    <T> T await(CompletableFuture<T> future, String what) {
        return await(future, what, Ledgers::discard);
    }

    private <T> T await(CompletableFuture<T> future, String what, Consumer<T> late) {
        boolean interrupted = false;
        long left = settings.stallTimeout().toNanos();
        try {
            while (true) {
                try {
                    return future.get(left, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    var _ = future.thenAccept(late);
                    throw new LogException(
                            "%s takes longer than %d s: are the bookies running?"
                                    .formatted(what, settings.stallTimeout().toSeconds()),
                            e);
                } catch (ExecutionException e) {
                    throw new LogException(what + " failed: " + reason(e.getCause()), e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void discard(@Nullable Object late) {
        switch (late) {
            case Handle handle -> {
                var _ = handle.closeAsync();
            }
            case LedgerEntries entries -> entries.close();
            case null, default -> {}
        }
    }

    private static String reason(@Nullable Throwable cause) {
        return cause instanceof BKException failure
                ? BKException.getMessage(failure.getCode())
                : String.valueOf(cause);
    }

    /// The last entry of a sealed ledger. Read from the metadata, because a handle that was opened
    /// earlier learns of the seal before its last confirmed entry is updated.
    static long lastEntry(ReadHandle sealed) {
        return sealed.getLedgerMetadata().getLastEntryId();
    }

    /// Whether the ledger no longer exists.
    static boolean isGone(LogException e) {
        return switch (codeOf(e)) {
            case BKException.Code.NoSuchLedgerExistsException,
                    BKException.Code.NoSuchLedgerExistsOnMetadataServerException ->
                    true;
            default -> false;
        };
    }

    /// BookKeeper's error code, or OK if there is none.
    static int codeOf(Throwable e) {
        Throwable cause = e;
        while (cause != null) {
            if (cause instanceof BKException failure) {
                return failure.getCode();
            }
            cause = cause.getCause();
        }
        return BKException.Code.OK;
    }
}

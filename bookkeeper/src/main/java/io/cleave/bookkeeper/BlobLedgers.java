package io.cleave.bookkeeper;

import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteAdvHandle;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Creates, opens and deletes the ledgers of one blob store. Each ledger carries the name of the
/// store, so that ledgers of other stores or programs are never deleted by mistake. Threads: any.
final class BlobLedgers {
    /// The client has a timeout for each request; this one is a fallback.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String STORE_KEY = "cleave-blobs";

    private final BookKeeper bookKeeper;
    private final BookKeeperSettings settings;
    private final byte[] password;
    private final byte[] store;

    BlobLedgers(BookKeeper bookKeeper, BookKeeperSettings settings, String store) {
        this.bookKeeper = bookKeeper;
        this.settings = settings;
        password = settings.ledgerPassword();
        this.store = store.getBytes(StandardCharsets.UTF_8);
    }

    /// If there are too few bookies for the ensemble, uses only as many as the ack quorum.
    /// Everything that is acknowledged still has as many copies as usual; more copies only help
    /// when one is lost.
    WriteAdvHandle create(long ledgerId) throws IOException {
        try {
            return create(ledgerId, settings.ensemble(), settings.writeQuorum());
        } catch (IOException e) {
            if (!isShortOfBookies(e) || settings.ensemble() == settings.ackQuorum()) {
                throw e;
            }
            return create(ledgerId, settings.ackQuorum(), settings.ackQuorum());
        }
    }

    private WriteAdvHandle create(long ledgerId, int ensemble, int writeQuorum) throws IOException {
        CompletableFuture<WriteAdvHandle> answer =
                bookKeeper
                        .newCreateLedgerOp()
                        .withEnsembleSize(ensemble)
                        .withWriteQuorumSize(writeQuorum)
                        .withAckQuorumSize(settings.ackQuorum())
                        .withDigestType(DigestType.CRC32C)
                        .withPassword(password)
                        .withCustomMetadata(Map.of(STORE_KEY, store))
                        .makeAdv()
                        .withLedgerId(ledgerId)
                        .execute();
        try {
            return await(answer);
        } catch (IOException e) {
            var _ = answer.thenCompose(this::discard);
            throw e;
        }
    }

    /// Deletes a ledger whose creation has timed out.
    private CompletableFuture<Void> discard(WriteAdvHandle late) {
        return late.closeAsync()
                .handle((_, _) -> true)
                .thenCompose(
                        _ -> bookKeeper.newDeleteLedgerOp().withLedgerId(late.getId()).execute());
    }

    private static boolean isShortOfBookies(IOException failure) {
        return failure.getCause() instanceof BKException e
                && e.getCode() == BKException.Code.NotEnoughBookiesException;
    }

    /// Opens a closed ledger for reading. The handle learns when lost copies are restored on other
    /// bookies.
    ReadHandle open(long ledgerId) throws IOException {
        return await(
                bookKeeper
                        .newOpenLedgerOp()
                        .withLedgerId(ledgerId)
                        .withRecovery(false)
                        .withDigestType(DigestType.CRC32C)
                        .withPassword(password)
                        .execute());
    }

    /// A missing ledger is no error. A ledger of another store is left alone.
    void delete(long ledgerId) throws IOException {
        try {
            LedgerMetadata metadata = await(bookKeeper.getLedgerMetadata(ledgerId));
            if (Arrays.equals(store, metadata.getCustomMetadata().get(STORE_KEY))) {
                await(bookKeeper.newDeleteLedgerOp().withLedgerId(ledgerId).execute());
            }
        } catch (IOException e) {
            if (!isMissing(e)) {
                throw e;
            }
        }
    }

    static boolean isMissing(IOException failure) {
        return failure.getCause() instanceof BKException e
                && (e.getCode() == BKException.Code.NoSuchLedgerExistsException
                        || e.getCode()
                                == BKException.Code.NoSuchLedgerExistsOnMetadataServerException);
    }

    /// Waits for the answer of BookKeeper. The cause of the exception is BookKeeper's own.
    static <T> T await(CompletableFuture<T> answer) throws IOException {
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new InterruptedIOException("interrupted while BookKeeper works");
            interrupted.initCause(e);
            throw interrupted;
        } catch (TimeoutException e) {
            throw new IOException("no answer of BookKeeper within " + PATIENCE, e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(String.valueOf(cause.getMessage()), cause);
        }
    }

    /// Whether the failure means that the stored bytes are wrong or missing.
    static boolean isCorrupt(IOException failure) {
        return failure.getCause() instanceof BKException e
                && (e.getCode() == BKException.Code.DigestMatchException
                        || e.getCode() == BKException.Code.NoSuchEntryException);
    }
}

package io.cleave.bookkeeper;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The part of ZooKeeper's tree that belongs to one blob store, below its root. The client repeats
/// a call while the connection is lost. So a call may have been executed before, and callers must
/// expect this. Threads: any.
///
/// ```
/// ROOT                        what it is, and where the ids of its ledgers begin
/// ROOT/next-id                ids below this number may be in use
/// ROOT/runs/ID                64 ids from this one on, for one holder; its data names the holder
/// ROOT/holders/NAME           who has the store open, while the session lasts: see BlobHolders
/// ROOT/sealed/ID/ID           a sealed blob, in a folder of 4096 ids
/// ROOT/deleted/ID             a blob whose ledger is to be deleted
/// ```
///
/// Ids are 16 hex digits. All of it can be read with ZooKeeper's shell.
final class BlobNodes {
    private static final int FOLDER_BITS = 12;

    private final CuratorFramework zooKeeper;
    private final String root;

    BlobNodes(CuratorFramework zooKeeper, String root) {
        this.zooKeeper = zooKeeper;
        this.root = root;
    }

    CuratorFramework zooKeeper() {
        return zooKeeper;
    }

    String root() {
        return root;
    }

    String nextId() {
        return root + "/next-id";
    }

    String runs() {
        return root + "/runs";
    }

    String run(long from) {
        return runs() + "/" + text(from);
    }

    String holders() {
        return root + "/holders";
    }

    String holder(String name) {
        return holders() + "/" + name;
    }

    String sealed() {
        return root + "/sealed";
    }

    String sealedFolder(long blobId) {
        return sealed() + "/" + text(blobId >>> FOLDER_BITS);
    }

    String sealed(long blobId) {
        return sealedFolder(blobId) + "/" + text(blobId);
    }

    String deleted() {
        return root + "/deleted";
    }

    String deleted(long blobId) {
        return deleted() + "/" + text(blobId);
    }

    static String text(long id) {
        return "%016x".formatted(id);
    }

    static long id(String text) {
        return Long.parseUnsignedLong(text, 16);
    }

    /// The data of a node, and its version.
    record Read(String text, int version) {}

    Optional<Read> read(String path) throws IOException {
        return call(
                () -> {
                    try {
                        var stat = new Stat();
                        byte[] data = zooKeeper.getData().storingStatIn(stat).forPath(path);
                        String text = new String(data, StandardCharsets.UTF_8);
                        return Optional.of(new Read(text, stat.getVersion()));
                    } catch (KeeperException.NoNodeException _) {
                        return Optional.empty();
                    }
                });
    }

    Optional<Stat> stat(String path) throws IOException {
        return call(() -> Optional.ofNullable(zooKeeper.checkExists().forPath(path)));
    }

    /// Empty if the node itself does not exist.
    List<String> children(String path) throws IOException {
        return call(
                () -> {
                    try {
                        return zooKeeper.getChildren().forPath(path);
                    } catch (KeeperException.NoNodeException _) {
                        return List.of();
                    }
                });
    }

    /// Creates a node and its parents. An existing node is left unchanged.
    void ensure(String path, String text) throws IOException {
        call(
                () -> {
                    try {
                        return zooKeeper
                                .create()
                                .creatingParentsIfNeeded()
                                .forPath(path, bytes(text));
                    } catch (KeeperException.NodeExistsException _) {
                        return path;
                    }
                });
    }

    /// Creates a folder that ZooKeeper removes when it becomes empty.
    void ensureContainer(String path) throws IOException {
        call(
                () -> {
                    try {
                        return zooKeeper.create().withMode(CreateMode.CONTAINER).forPath(path);
                    } catch (KeeperException.NodeExistsException _) {
                        return path;
                    }
                });
    }

    /// A missing node is no error.
    void remove(String path) throws IOException {
        call(
                () -> {
                    try {
                        zooKeeper.delete().forPath(path);
                    } catch (KeeperException.NoNodeException _) {
                        return false;
                    }
                    return true;
                });
    }

    CuratorOp create(String path, String text) throws IOException {
        return call(() -> zooKeeper.transactionOp().create().forPath(path, bytes(text)));
    }

    CuratorOp set(String path, int version, String text) throws IOException {
        return call(
                () ->
                        zooKeeper
                                .transactionOp()
                                .setData()
                                .withVersion(version)
                                .forPath(path, bytes(text)));
    }

    CuratorOp delete(String path) throws IOException {
        return call(() -> zooKeeper.transactionOp().delete().forPath(path));
    }

    CuratorOp check(String path, int version) throws IOException {
        return call(() -> zooKeeper.transactionOp().check().withVersion(version).forPath(path));
    }

    /// Executes all operations or none. Returns false if one does not match the current state:
    /// another process has changed it, or an earlier attempt whose answer was lost has already
    /// executed them.
    boolean doAll(CuratorOp... operations) throws IOException {
        return call(
                () -> {
                    try {
                        zooKeeper.transaction().forOperations(operations);
                        return true;
                    } catch (KeeperException.NoNodeException
                            | KeeperException.NodeExistsException
                            | KeeperException.BadVersionException _) {
                        return false;
                    }
                });
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private interface Call<T> {
        T get() throws Exception;
    }

    /// Curator declares `Exception`; in fact only ZooKeeper's exceptions and interrupts occur.
    private <T> T call(Call<T> call) throws IOException {
        try {
            return call.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new InterruptedIOException("interrupted while ZooKeeper works");
            interrupted.initCause(e);
            throw interrupted;
        } catch (KeeperException e) {
            throw new IOException("ZooKeeper: " + e.getMessage() + " (" + root + ")", e);
        } catch (IllegalStateException e) {
            // The client was closed.
            throw new IOException("ZooKeeper: " + e.getMessage() + " (" + root + ")", e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("ZooKeeper: " + e + " (" + root + ")", e);
        }
    }
}

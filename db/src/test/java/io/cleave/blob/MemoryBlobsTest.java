package io.cleave.blob;

class MemoryBlobsTest extends BlobStoreContract {
    private final MemoryBlobs store = new MemoryBlobs();

    @Override
    BlobStore reopen() {
        return store;
    }
}

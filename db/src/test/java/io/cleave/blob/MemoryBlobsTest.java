package io.cleave.blob;

import java.util.Set;

class MemoryBlobsTest extends BlobStoreContract {
    private final MemoryBlobs store = new MemoryBlobs(Set.of("", "hdd"));

    @Override
    protected BlobStore reopen() {
        return store;
    }
}

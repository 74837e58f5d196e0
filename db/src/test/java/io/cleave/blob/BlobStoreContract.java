package io.cleave.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/// What every blob store promises.
public abstract class BlobStoreContract {
    /// The same store each time, as a process started after a crash would find it.
    protected abstract BlobStore reopen();

    @Test
    void aSealedBlobReadsBack() {
        BlobStore store = reopen();
        long id = sealed(store, "hello, blob");

        BlobReader reader = store.open(id);

        assertThat(reader.size()).isEqualTo(11);
        assertThat(text(reader.read(0, 5))).isEqualTo("hello");
        assertThat(text(reader.read(7, 4))).isEqualTo("blob");
        assertThat(reader.read(11, 0).remaining()).isZero();
        assertThat(reader.read(0, 5).isReadOnly()).isTrue();
    }

    @Test
    void writesFollowOneAnother() {
        BlobStore store = reopen();
        try (BlobWriter writer = store.create()) {
            writer.write(utf8("ab"));
            assertThat(writer.offset()).isEqualTo(2);
            writer.write(ByteBuffer.wrap(utf8("xcdx"), 1, 2));
            assertThat(writer.offset()).isEqualTo(4);
            writer.seal();
            assertThat(text(store.open(writer.id()).read(0, 4))).isEqualTo("abcd");
        }
    }

    @Test
    void anEmptyBlobIsABlob() {
        BlobStore store = reopen();
        long id = sealed(store, "");
        assertThat(store.open(id).size()).isZero();
        assertThat(store.list()).containsExactly(id);
    }

    @Test
    void whatIsNotSealedIsNotThere() {
        BlobStore store = reopen();
        BlobWriter writer = store.create();
        writer.write(utf8("half"));

        assertThat(store.list()).isEmpty();
        assertThatThrownBy(() -> store.open(writer.id())).isInstanceOf(CorruptionException.class);
        assertThat(reopen().list()).isEmpty();
    }

    @Test
    void sealedBlobsAreListedInOrderAlsoAfterARestart() {
        BlobStore store = reopen();
        long first = sealed(store, "1");
        long second = sealed(store, "2");
        long third = sealed(store, "3");
        store.delete(second);

        assertThat(store.list()).containsExactly(first, third);
        assertThat(reopen().list()).containsExactly(first, third);
    }

    @Test
    void anOpenReaderOutlivesItsBlob() {
        BlobStore store = reopen();
        long id = sealed(store, "still here");
        BlobReader reader = store.open(id);

        store.delete(id);
        store.delete(id);

        assertThat(text(reader.read(0, 10))).isEqualTo("still here");
        assertThatThrownBy(() -> store.open(id)).isInstanceOf(CorruptionException.class);
    }

    @Test
    void idsAreNeverUsedTwice() {
        long highest = 0;
        for (int restart = 0; restart < 3; restart++) {
            BlobStore store = reopen();
            for (int count = 0; count < 300; count++) {
                long id = store.create().id();
                assertThat(id).isGreaterThan(highest);
                highest = id;
            }
            long id = sealed(store, "gone");
            store.delete(id);
            highest = id;
        }
    }

    @Test
    void aRangeOutsideIsCorruptionThatNamesTheBlob() {
        BlobStore store = reopen();
        BlobReader reader = store.open(sealed(store, "four"));

        assertThatThrownBy(() -> reader.read(2, 3))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining(reader.name());
        assertThatThrownBy(() -> reader.read(-1, 1)).isInstanceOf(CorruptionException.class);
        assertThatThrownBy(() -> reader.read(Long.MAX_VALUE, 1))
                .isInstanceOf(CorruptionException.class);
    }

    @Test
    void nothingIsWrittenAfterTheSeal() {
        BlobWriter writer = reopen().create();
        writer.seal();
        assertThatThrownBy(() -> writer.write(utf8("late")))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(writer::seal).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void blobsOfAllMediaAreOneStore() {
        BlobStore store = reopen();
        assertThat(store.media()).contains(BlobStore.DEFAULT_MEDIUM);
        Map<Long, String> written = new TreeMap<>();
        for (String medium : new TreeSet<>(store.media())) {
            for (int count = 0; count < 3; count++) {
                String text = medium + " " + count;
                written.put(sealed(store, medium, text), text);
            }
        }
        assertThat(store.list()).containsExactlyElementsOf(written.keySet());
        BlobStore again = reopen();
        assertThat(again.list()).containsExactlyElementsOf(written.keySet());
        assertThat(again.media()).isEqualTo(store.media());
        written.forEach(
                (id, text) -> {
                    BlobReader reader = again.open(id);
                    assertThat(text(reader.read(0, (int) reader.size()))).isEqualTo(text);
                });
        written.keySet().forEach(again::delete);
        assertThat(again.list()).isEmpty();
        assertThat(reopen().list()).isEmpty();
    }

    @Test
    void idsAreUniqueOverAllMediaAlsoAfterARestart() {
        long highest = 0;
        for (int restart = 0; restart < 2; restart++) {
            BlobStore store = reopen();
            for (String medium : store.media()) {
                try (BlobWriter writer = store.create(medium)) {
                    assertThat(writer.id()).isGreaterThan(highest);
                    highest = writer.id();
                }
            }
        }
    }

    @Test
    void aMediumThatIsNotThereIsABug() {
        assertThatThrownBy(() -> reopen().create("tape"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("tape");
    }

    /// Larger than any buffer on the way, in pieces of all sizes.
    @Test
    void manyWritesAreOneBlob() {
        BlobStore store = reopen();
        byte[] all = new byte[3 << 20];
        new Random(1).nextBytes(all);
        try (BlobWriter writer = store.create()) {
            int from = 0;
            for (int piece = 1; from < all.length; piece = piece * 3 + 1) {
                int count = Math.min(piece, all.length - from);
                writer.write(ByteBuffer.wrap(all, from, count));
                from += count;
                assertThat(writer.offset()).isEqualTo(from);
            }
            writer.seal();
            assertThat(store.open(writer.id()).read(0, all.length)).isEqualTo(ByteBuffer.wrap(all));
        }
    }

    protected static long sealed(BlobStore store, String text) {
        return sealed(store, BlobStore.DEFAULT_MEDIUM, text);
    }

    protected static long sealed(BlobStore store, String medium, String text) {
        try (BlobWriter writer = store.create(medium)) {
            writer.write(utf8(text));
            writer.seal();
            return writer.id();
        }
    }

    protected static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    protected static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }
}

package io.cleave.analysis;

import io.cleave.analysis.Functions.Parameter;
import io.cleave.base.Bytes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32C;

/// The module `Digest`: hashes that are the same in every version.
final class DigestModule {
    private static final String MODULE = "Digest";
    private static final int FNV32_OFFSET = 0x811C9DC5;
    private static final int FNV32_PRIME = 0x01000193;
    private static final long FNV64_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV64_PRIME = 0x00000100000001B3L;

    private DigestModule() {}

    static void register(Functions.Registry registry) {
        Type bytes = Primitive.STRING;
        add(registry, "Crc32c", Primitive.UINT32, DigestModule::crc32c);
        add(registry, "Fnv32", Primitive.UINT32, DigestModule::fnv32);
        add(registry, "Fnv64", Primitive.UINT64, DigestModule::fnv64);
        add(registry, "Md5Hex", bytes, b -> hex(digest("MD5", b)));
        add(registry, "Md5Raw", bytes, b -> Value.binary(digest("MD5", b)));
        add(registry, "Sha1", bytes, b -> Value.binary(digest("SHA-1", b)));
        add(registry, "Sha256", bytes, b -> Value.binary(digest("SHA-256", b)));
    }

    private static void add(
            Functions.Registry registry, String name, Type type, Function<Bytes, Value> step) {
        registry.addStrict(
                MODULE,
                name,
                type,
                List.of(Parameter.of(Primitive.STRING)),
                a -> step.apply(Texts.bytes(a[0])));
    }

    private static Value crc32c(Bytes bytes) {
        var crc = new CRC32C();
        crc.update(bytes.array(), 0, bytes.length());
        return Value.of(crc.getValue());
    }

    /// Multiplied first and mixed after: FNV-1.
    private static Value fnv32(Bytes bytes) {
        int hash = FNV32_OFFSET;
        for (byte b : bytes.array()) {
            hash = hash * FNV32_PRIME ^ (b & 0xFF);
        }
        return Value.of(Integer.toUnsignedLong(hash));
    }

    private static Value fnv64(Bytes bytes) {
        long hash = FNV64_OFFSET;
        for (byte b : bytes.array()) {
            hash = hash * FNV64_PRIME ^ (b & 0xFF);
        }
        return Value.of(hash);
    }

    private static Value hex(Bytes bytes) {
        return Value.binary(Bytes.utf8(bytes.hex()));
    }

    private static Bytes digest(String algorithm, Bytes bytes) {
        try {
            return Bytes.wrap(MessageDigest.getInstance(algorithm).digest(bytes.array()));
        } catch (NoSuchAlgorithmException e) {
            // Every Java platform must have these three.
            throw new IllegalStateException(e);
        }
    }
}

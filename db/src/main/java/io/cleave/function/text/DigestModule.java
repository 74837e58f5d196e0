package io.cleave.function.text;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.hash.Argon2;
import io.cleave.hash.Blake2b;
import io.cleave.hash.CityHash;
import io.cleave.hash.Crc64;
import io.cleave.hash.FarmHash;
import io.cleave.hash.FarmHash32;
import io.cleave.hash.Fnv;
import io.cleave.hash.Hash128;
import io.cleave.hash.HighwayHash;
import io.cleave.hash.IntHash;
import io.cleave.hash.Murmur;
import io.cleave.hash.SipHash;
import io.cleave.hash.SuperFastHash;
import io.cleave.hash.Xxh3;
import io.cleave.hash.Xxh3Wide;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32C;

/// The module `Digest`: hash functions whose results never change between versions.
public final class DigestModule {
    private static final String MODULE = "Digest";
    private static final Type PAIR = new Type.Tuple(List.of(Primitive.UINT64, Primitive.UINT64));
    private static final int KEYED_HASH_BYTES = 32;

    private DigestModule() {}

    public static void register(Registry registry) {
        Type bytes = Primitive.STRING;
        add(registry, "Crc32c", Primitive.UINT32, DigestModule::crc32c);
        add(registry, "Md5Hex", bytes, b -> Value.binary(Bytes.utf8(digest("MD5", b).hex())));
        add(registry, "Md5Raw", bytes, b -> Value.binary(digest("MD5", b)));
        add(registry, "Md5HalfMix", Primitive.UINT64, DigestModule::md5HalfMix);
        add(registry, "Sha1", bytes, b -> Value.binary(digest("SHA-1", b)));
        add(registry, "Sha256", bytes, b -> Value.binary(digest("SHA-256", b)));
        add(registry, "Sha512", bytes, b -> Value.binary(digest("SHA-512", b)));
        seeded(registry, "Crc64", Crc64.INIT, Crc64::hash);
        seeded32(registry, "Fnv32", Fnv.INIT_32, Fnv::hash32);
        seeded(registry, "Fnv64", Fnv.INIT_64, Fnv::hash64);
        seeded(registry, "MurMurHash", 0, Murmur::hash64);
        seeded32(registry, "MurMurHash32", 0, Murmur::hash32);
        seeded(registry, "MurMurHash2A", 0, Murmur::hash2a64);
        seeded32(registry, "MurMurHash2A32", 0, Murmur::hash2a32);
        registry.add(MODULE, "CityHash", DigestModule::city);
        add(registry, "CityHash128", PAIR, b -> pair(CityHash.hash128(b.array())));
        add(
                registry,
                "FarmHashFingerprint32",
                Primitive.UINT32,
                b -> unsigned(FarmHash32.fingerprint(b.array())));
        add(
                registry,
                "FarmHashFingerprint64",
                Primitive.UINT64,
                b -> Value.of(FarmHash.fingerprint64(b.array())));
        add(
                registry,
                "FarmHashFingerprint128",
                PAIR,
                b -> pair(FarmHash.fingerprint128(b.array())));
        add(
                registry,
                "SuperFastHash",
                Primitive.UINT32,
                b -> unsigned(SuperFastHash.hash(b.array())));
        add(registry, "XXH3", Primitive.UINT64, b -> Value.of(Xxh3.hash64(b.array())));
        add(registry, "XXH3_128", PAIR, b -> pair(Xxh3Wide.hash128(b.array())));
        numbers(registry, "NumericHash", 1, a -> IntHash.wang(a[0]));
        numbers(registry, "IntHash64", 1, a -> IntHash.murmur3(a[0]));
        numbers(registry, "FarmHashFingerprint", 1, a -> IntHash.farm(a[0]));
        numbers(registry, "FarmHashFingerprint2", 2, a -> IntHash.farm(a[0], a[1]));
        keyed(registry, "SipHash", 2, (key, b) -> SipHash.hash(key[0], key[1], b));
        keyed(registry, "HighwayHash", 4, HighwayHash::hash64);
        registry.add(MODULE, "Blake2B", DigestModule::blake2b);
        registry.add(MODULE, "Argon2", DigestModule::argon2);
    }

    private static void add(
            Registry registry, String name, Type type, Function<Bytes, Value> step) {
        registry.addStrict(
                MODULE,
                name,
                type,
                List.of(Registry.Parameter.of(Primitive.STRING)),
                a -> step.apply(Texts.bytes(a[0])));
    }

    private static Value crc32c(Bytes bytes) {
        var crc = new CRC32C();
        crc.update(bytes.array(), 0, bytes.length());
        return Value.of(crc.getValue());
    }

    private static Bytes digest(String algorithm, Bytes bytes) {
        try {
            return Bytes.wrap(MessageDigest.getInstance(algorithm).digest(bytes.array()));
        } catch (NoSuchAlgorithmException e) {
            // Every Java platform has these.
            throw new IllegalStateException(e);
        }
    }

    /// XORs both halves, in 32-bit words from the last to the first.
    private static Value md5HalfMix(Bytes bytes) {
        byte[] md5 = digest("MD5", bytes).array();
        long mix = 0;
        for (int index = 0; index < Long.BYTES; index++) {
            mix = mix << Byte.SIZE | ((md5[index] ^ md5[index + Long.BYTES]) & 0xFF);
        }
        return Value.of(Long.rotateLeft(mix, Integer.SIZE));
    }

    private static Value unsigned(int hash) {
        return Value.of(Integer.toUnsignedLong(hash));
    }

    private static Value pair(Hash128 hash) {
        return Value.items(List.of(Value.of(hash.low()), Value.of(hash.high())));
    }

    @FunctionalInterface
    private interface Seeded {
        long hash(byte[] data, long seed);
    }

    @FunctionalInterface
    private interface Seeded32 {
        int hash(byte[] data, int seed);
    }

    /// `Fnv64(text[, n AS Init])`.
    private static void seeded(Registry registry, String name, long usual, Seeded hash) {
        registry.add(MODULE, name, c -> seeded(c, Primitive.UINT64, usual, hash));
    }

    private static void seeded32(Registry registry, String name, int usual, Seeded32 hash) {
        registry.add(
                MODULE,
                name,
                c ->
                        seeded(
                                c,
                                Primitive.UINT32,
                                usual,
                                (data, seed) ->
                                        Integer.toUnsignedLong(hash.hash(data, (int) seed))));
    }

    private static Typed seeded(FunctionCall call, Primitive type, long usual, Seeded hash) {
        call.expect(1, 2);
        Typed text = call.as(0, Primitive.STRING);
        // A NULL seed means the default.
        Typed seed =
                call.count() == 2
                        ? seed(call, type)
                        : new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
        boolean optional = text.type().isOptional() || text.type() == Type.Unit.NULL;
        return call.apply(
                optional ? type.optional() : type,
                List.of(text, seed),
                a -> {
                    if (a[0].isNull()) {
                        return a[0];
                    }
                    long init = a[1] instanceof Value.Int(long number) ? number : usual;
                    return Value.of(hash.hash(Texts.bytes(a[0]).array(), init));
                });
    }

    private static Typed seed(FunctionCall call, Primitive type) {
        String label = call.label(1).orElse("Init");
        if (!label.equals("Init")) {
            throw call.error("Unknown argument name: " + label);
        }
        return Numbers.of(call, 1, type);
    }

    private static Typed city(FunctionCall call) {
        return call.count() == 2
                ? seeded(call, Primitive.UINT64, 0, CityHash::hash64)
                : seeded(call, Primitive.UINT64, 0, (data, _) -> CityHash.hash64(data));
    }

    private static void numbers(
            Registry registry, String name, int count, Function<long[], Long> step) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(count);
                    return call.strict(
                            Primitive.UINT64,
                            numbers(call, count),
                            a -> Value.of(step.apply(longs(a, count))));
                });
    }

    private static List<Typed> numbers(FunctionCall call, int count) {
        var numbers = new ArrayList<Typed>();
        for (int index = 0; index < count; index++) {
            numbers.add(Numbers.count(call, index));
        }
        return numbers;
    }

    private static long[] longs(Value[] values, int count) {
        long[] longs = new long[count];
        for (int index = 0; index < count; index++) {
            longs[index] = ((Value.Int) values[index]).value();
        }
        return longs;
    }

    @FunctionalInterface
    private interface Keyed {
        long hash(long[] key, byte[] data);
    }

    /// The words of the key are the arguments before the text.
    private static void keyed(Registry registry, String name, int words, Keyed hash) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(words + 1);
                    List<Typed> arguments = numbers(call, words);
                    arguments.add(call.as(words, Primitive.STRING));
                    return call.strict(
                            Primitive.UINT64,
                            arguments,
                            a ->
                                    Value.of(
                                            hash.hash(
                                                    longs(a, words),
                                                    Texts.bytes(a[words]).array())));
                });
    }

    private static Typed blake2b(FunctionCall call) {
        call.expect(1, 2);
        var arguments = new ArrayList<Typed>();
        arguments.add(call.as(0, Primitive.STRING));
        if (call.count() == 2) {
            arguments.add(call.as(1, Primitive.STRING));
        }
        var at = call.at();
        boolean optional = call.type(0).isOptional();
        return call.apply(
                optional ? Primitive.STRING.optional() : Primitive.STRING,
                arguments,
                a -> {
                    if (a[0].isNull()) {
                        return a[0];
                    }
                    byte[] key =
                            a.length == 2 && !a[1].isNull()
                                    ? Texts.bytes(a[1]).array()
                                    : new byte[0];
                    if (key.length > Blake2b.MAX_KEY_BYTES) {
                        throw Errors.failure(at, "The key of Digest::Blake2B has over 64 bytes");
                    }
                    byte[] text = Texts.bytes(a[0]).array();
                    return Value.binary(Bytes.wrap(Blake2b.hash(text, key, KEYED_HASH_BYTES)));
                });
    }

    private static Typed argon2(FunctionCall call) {
        call.expect(2);
        var at = call.at();
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, Primitive.STRING), call.as(1, Primitive.STRING)),
                a -> {
                    byte[] salt = Texts.bytes(a[1]).array();
                    if (salt.length < Argon2.MIN_SALT_BYTES) {
                        throw Errors.failure(
                                at, "The salt of Digest::Argon2 has fewer than 8 bytes");
                    }
                    return Value.binary(Bytes.wrap(Argon2.hash(Texts.bytes(a[0]).array(), salt)));
                });
    }
}

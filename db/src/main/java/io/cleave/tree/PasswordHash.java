package io.cleave.tree;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.random.RandomGenerator;

import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Passwords in their stored form: `pbkdf2-sha256$iterations$salt$hash`, the last two in Base64.
public final class PasswordHash {
    private static final String KIND = "pbkdf2-sha256";
    private static final int ITERATIONS = 100_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;

    /// The number of parts of the stored form, separated by `$`.
    private static final int PARTS = 4;

    private PasswordHash() {}

    static String of(String password, RandomGenerator random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        Base64.Encoder encoder = Base64.getEncoder().withoutPadding();
        return String.join(
                "$",
                KIND,
                String.valueOf(ITERATIONS),
                encoder.encodeToString(salt),
                encoder.encodeToString(hash(password, salt, ITERATIONS)));
    }

    /// Whether `kept` was made from this password; an empty password is stored as an empty text.
    public static boolean matches(String kept, String password) {
        if (kept.isEmpty() || password.isEmpty()) {
            return kept.equals(password);
        }
        String[] parts = kept.split("\\$", -1);
        if (parts.length != PARTS || !parts[0].equals(KIND)) {
            return false;
        }
        Base64.Decoder decoder = Base64.getDecoder();
        byte[] found = hash(password, decoder.decode(parts[2]), Integer.parseInt(parts[1]));
        return MessageDigest.isEqual(decoder.decode(parts[3]), found);
    }

    private static byte[] hash(String password, byte[] salt, int iterations) {
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(
                            new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BITS))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has PBKDF2 with SHA-256", e);
        }
    }
}

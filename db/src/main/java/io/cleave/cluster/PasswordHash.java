package io.cleave.cluster;

import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.random.RandomGenerator;

import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Passwords as they are kept: `pbkdf2-sha256$iterations$salt$hash`, the last two in Base64.
final class PasswordHash {
    private static final String KIND = "pbkdf2-sha256";
    private static final int ITERATIONS = 100_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;

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
                encoder.encodeToString(hash(password, salt)));
    }

    private static byte[] hash(String password, byte[] salt) {
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(
                            new PBEKeySpec(password.toCharArray(), salt, ITERATIONS, HASH_BITS))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has PBKDF2 with SHA-256", e);
        }
    }
}

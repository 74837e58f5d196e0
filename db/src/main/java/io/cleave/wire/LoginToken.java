package io.cleave.wire;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// What a login gives: clients look into it for the time when it is to be had anew, so that it has
/// to be a JSON Web Token. Nobody checks it, and so nobody has signed it: the third part is empty
/// (RFC 7519, 6).
final class LoginToken {
    /// As long as YDB's.
    static final long LIFE_SECONDS = 12 * 3600;

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private LoginToken() {}

    static String of(String user, String database, long nowSeconds) {
        String payload =
                "{\"aud\":[\"%s\"],\"exp\":%d,\"iat\":%d,\"sub\":\"%s\"}"
                        .formatted(
                                escaped(database),
                                nowSeconds + LIFE_SECONDS,
                                nowSeconds,
                                escaped(user));
        return part("{\"alg\":\"none\",\"typ\":\"JWT\"}") + "." + part(payload) + ".";
    }

    private static String part(String json) {
        return BASE64.encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String escaped(String text) {
        var json = new StringBuilder();
        for (int index = 0; index < text.length(); index++) {
            char letter = text.charAt(index);
            if (letter < ' ' || letter == '"' || letter == '\\') {
                json.append("\\u%04x".formatted((int) letter));
            } else {
                json.append(letter);
            }
        }
        return json.toString();
    }
}

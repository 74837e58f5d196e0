package io.cleave.access;

import io.cleave.value.Json;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SequencedMap;

/// The token that a login returns. It has to be a JSON Web Token, because clients read its expiry
/// time to know when to log in again.
///
/// Nobody checks the token, so it is not signed: its third part is empty (RFC 7519, 6).
/// CurrentAuthenticatedUser returns the user that the token names.
public final class LoginToken {
    /// YDB's lifetime of a token.
    static final long LIFE_SECONDS = 12 * 3600;

    /// The parts are header, payload and signature.
    private static final int PARTS = 3;

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private LoginToken() {}

    public static String of(String user, String database, long nowSeconds) {
        String payload =
                "{\"aud\":[\"%s\"],\"exp\":%d,\"iat\":%d,\"sub\":\"%s\"}"
                        .formatted(
                                escaped(database),
                                nowSeconds + LIFE_SECONDS,
                                nowSeconds,
                                escaped(user));
        return part("{\"alg\":\"none\",\"typ\":\"JWT\"}") + "." + part(payload) + ".";
    }

    /// The user that the token names, or empty if it names none. The token is not verified.
    public static String user(@Nullable String token) {
        String[] parts = token == null ? new String[0] : token.split("\\.", -1);
        if (parts.length != PARTS) {
            return "";
        }
        try {
            byte[] payload = Base64.getUrlDecoder().decode(parts[1]);
            return Json.parse(new String(payload, StandardCharsets.UTF_8))
                    .map(LoginToken::subject)
                    .orElse("");
        } catch (IllegalArgumentException _) {
            // Not Base64.
            return "";
        }
    }

    private static String subject(Json payload) {
        return payload instanceof Json.Members(SequencedMap<String, Json> members)
                        && members.get("sub") instanceof Json.Text(String name)
                ? name
                : "";
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

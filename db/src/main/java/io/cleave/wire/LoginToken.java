package io.cleave.wire;

import io.cleave.value.Json;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SequencedMap;

/// What a login gives: clients look into it for the time when it is to be had anew, so that it has
/// to be a JSON Web Token. Nobody checks it, and so nobody has signed it: the third part is empty
/// (RFC 7519, 6). Whoever shows it is taken for the user it names, in CurrentAuthenticatedUser.
final class LoginToken {
    /// As long as YDB's.
    static final long LIFE_SECONDS = 12 * 3600;

    /// Header, payload and signature.
    private static final int PARTS = 3;

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

    /// Whom the token names, or empty if it is none of ours. Taken at its word, as all is that a
    /// client says.
    static String user(@Nullable String token) {
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

package io.cleave.function.text;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Texts;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// `Url::Parse` and `Url::Normalize`, which require a valid URL.
final class UrlParser {
    private static final List<String> MEMBERS =
            List.of(
                    "Frag",
                    "Host",
                    "ParseError",
                    "Pass",
                    "Path",
                    "Port",
                    "Query",
                    "Scheme",
                    "User");

    private static final Type TYPE =
            new Type.Struct(
                    MEMBERS.stream()
                            .map(name -> new Type.Member(name, Primitive.STRING.optional()))
                            .toList());

    private UrlParser() {}

    static Typed resolve(FunctionCall call) {
        call.expect(1);
        return call.strict(
                TYPE, List.of(call.as(0, Primitive.STRING)), a -> parsed(Texts.of(a[0])));
    }

    private static Value parsed(String url) {
        Optional<URI> uri = read(url);
        if (uri.isEmpty()) {
            return members(null, null, "ParsedBadFormat", null, null, null, null, null, null);
        }
        String user = uri.get().getRawUserInfo();
        int colon = user == null ? -1 : user.indexOf(':');
        int port = uri.get().getPort();
        String scheme = uri.get().getScheme();
        String path = uri.get().getRawPath();
        return members(
                uri.get().getRawFragment(),
                lower(uri.get().getHost()),
                null,
                user == null || colon < 0 ? null : user.substring(colon + 1),
                path == null || path.isEmpty() ? "/" : path,
                port < 0 ? null : Integer.toString(port),
                uri.get().getRawQuery(),
                lower(scheme),
                user == null || colon < 0 ? user : user.substring(0, colon));
    }

    private static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }

    private static Value members(@Nullable String... texts) {
        var items = new ArrayList<Value>();
        for (String text : texts) {
            items.add(text == null ? Value.Null.NULL : Value.binary(Bytes.utf8(text)));
        }
        return Value.items(items);
    }

    /// Parses an absolute URL with a host; empty for anything else.
    private static Optional<URI> read(String url) {
        try {
            var uri = new URI(url.strip());
            return uri.getScheme() == null || uri.getHost() == null
                    ? Optional.empty()
                    : Optional.of(uri);
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    /// Scheme and host in lower case, without the default port, `..` in the path or a fragment.
    static Optional<String> normalize(String url) {
        return read(url)
                .map(
                        uri -> {
                            URI normal = uri.normalize();
                            String scheme = normal.getScheme().toLowerCase(Locale.ROOT);
                            var out = new StringBuilder(scheme).append("://");
                            if (normal.getRawUserInfo() != null) {
                                out.append(normal.getRawUserInfo()).append('@');
                            }
                            out.append(normal.getHost().toLowerCase(Locale.ROOT));
                            int port = normal.getPort();
                            int usual = scheme.equals("https") ? 443 : 80;
                            if (port >= 0 && port != usual) {
                                out.append(':').append(port);
                            }
                            String path = normal.getRawPath();
                            out.append(path.isEmpty() ? "/" : path);
                            if (normal.getRawQuery() != null) {
                                out.append('?').append(normal.getRawQuery());
                            }
                            return out.toString();
                        });
    }
}

package io.cleave.function.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/// Splits a URL by its characters. Nothing is validated, so any text has parts.
final class UrlText {
    private UrlText() {}

    /// The length of `https://`, or 0 if there is no scheme.
    static int schemeLength(String url) {
        int at = url.indexOf("://");
        if (at <= 0) {
            return 0;
        }
        boolean name =
                url.substring(0, at)
                        .chars()
                        .allMatch(
                                c ->
                                        c < 0x80
                                                && (Character.isLetterOrDigit(c)
                                                        || "+-.".indexOf(c) >= 0));
        return name ? at + 3 : 0;
    }

    static String withoutScheme(String url) {
        return url.substring(schemeLength(url));
    }

    /// Everything between the scheme and the path: `user@host:8080`.
    static String hostAndPort(String url) {
        String rest = withoutScheme(url);
        return rest.substring(0, firstOf(rest, "/;?#"));
    }

    /// The first position of one of the letters, or the end of the text.
    private static int firstOf(String text, String letters) {
        for (int at = 0; at < text.length(); at++) {
            if (letters.indexOf(text.charAt(at)) >= 0) {
                return at;
            }
        }
        return text.length();
    }

    static String host(String url) {
        String authority = hostAndPort(url);
        int user = authority.indexOf('@');
        String host = user < 0 ? authority : authority.substring(user + 1);
        int port = portAt(host);
        return port < 0 ? host : host.substring(0, port);
    }

    /// The position of the colon before the port, or -1.
    private static int portAt(String host) {
        int bracket = host.lastIndexOf(']');
        return host.indexOf(':', bracket + 1);
    }

    static String schemeAndHost(String url) {
        return url.substring(0, schemeLength(url)) + host(url);
    }

    static String schemeHostAndPort(String url) {
        return url.substring(0, schemeLength(url)) + hostAndPort(url);
    }

    /// The port in the URL, or the default port of its scheme.
    static Optional<Integer> port(String url) {
        String authority = hostAndPort(url);
        authority = authority.substring(authority.indexOf('@') + 1);
        int colon = portAt(authority);
        if (colon >= 0) {
            String digits = authority.substring(colon + 1);
            boolean number =
                    !digits.isEmpty()
                            && digits.length() <= 5
                            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
            int port = number ? Integer.parseInt(digits) : 0;
            return port > 0 && port <= 0xFFFF ? Optional.of(port) : Optional.empty();
        }
        return switch (url.substring(0, schemeLength(url)).toLowerCase(Locale.ROOT)) {
            case "http://" -> Optional.of(80);
            case "https://" -> Optional.of(443);
            default -> Optional.empty();
        };
    }

    /// Everything after the host, at least a slash.
    static String tail(String url) {
        String tail = url.substring(schemeLength(url) + hostAndPort(url).length());
        return tail.startsWith("/") ? tail : "/" + tail;
    }

    static String path(String url) {
        String rest = withoutScheme(url);
        int slash = rest.indexOf('/');
        if (slash < 0) {
            return "/";
        }
        String path = rest.substring(slash);
        return path.substring(0, firstOf(path, "?#"));
    }

    static Optional<String> fragment(String url) {
        int hash = url.indexOf('#');
        return hash < 0 ? Optional.empty() : Optional.of(url.substring(hash + 1));
    }

    static String withoutQuery(String url) {
        return url.substring(0, firstOf(url, "?#"));
    }

    /// The value of a query parameter, not decoded.
    static Optional<String> parameter(String url, String name) {
        int question = url.indexOf('?');
        if (question < 0) {
            return Optional.empty();
        }
        String query = url.substring(question + 1);
        query = query.substring(0, firstOf(query, "#"));
        for (String pair : query.split("&", -1)) {
            if (pair.startsWith(name + "=")) {
                return Optional.of(pair.substring(name.length() + 1));
            }
        }
        return Optional.empty();
    }

    static String withoutWww(String host) {
        return host.regionMatches(true, 0, "www.", 0, 4) ? host.substring(4) : host;
    }

    /// Also removes prefixes such as `www2.`.
    static String withoutNumberedWww(String host) {
        if (!host.regionMatches(true, 0, "www", 0, 3)) {
            return host;
        }
        int at = 3;
        while (at < host.length() && host.charAt(at) >= '0' && host.charAt(at) <= '9') {
            at++;
        }
        return at < host.length() && host.charAt(at) == '.' ? host.substring(at + 1) : host;
    }

    /// Letters, digits and the characters in `safe` are not encoded. With `plus`, a space becomes a
    /// plus.
    static String encode(byte[] data, String safe, boolean plus) {
        var out = new StringBuilder();
        for (byte b : data) {
            char c = (char) (b & 0xFF);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || safe.indexOf(c) >= 0);
            if (plain) {
                out.append(c);
            } else if (c == ' ' && plus) {
                out.append('+');
            } else {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return out.toString();
    }

    /// A percent sign that is not followed by two hex digits is kept.
    static byte[] decode(byte[] data, boolean plus) {
        byte[] out = new byte[data.length];
        int size = 0;
        for (int at = 0; at < data.length; at++) {
            byte b = data[at];
            if (b == '%' && at + 2 < data.length && isHex(data[at + 1]) && isHex(data[at + 2])) {
                b =
                        (byte)
                                (Character.digit(data[at + 1], 16) << 4
                                        | Character.digit(data[at + 2], 16));
                at += 2;
            } else if (b == '+' && plus) {
                b = ' ';
            }
            out[size++] = b;
        }
        return Arrays.copyOf(out, size);
    }

    private static boolean isHex(byte b) {
        return b > 0 && Character.digit(b, 16) >= 0;
    }

    static String decode(String text) {
        return new String(
                decode(text.getBytes(StandardCharsets.UTF_8), true), StandardCharsets.UTF_8);
    }
}

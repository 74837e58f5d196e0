package io.cleave.function.text;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.net.IDN;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The module `Url`, except for the functions in [UrlQueries] and [UrlParser].
public final class UrlModule {
    static final String MODULE = "Url";

    /// Second-level domains under which third-level domains are registered.
    private static final List<String> ZONES = List.of("com", "net", "org", "co", "gov", "edu");

    private UrlModule() {}

    public static void register(Registry registry) {
        part(registry, "GetHost", UrlText::host);
        part(registry, "GetHostPort", UrlText::hostAndPort);
        part(registry, "GetSchemeHost", UrlText::schemeAndHost);
        part(registry, "GetSchemeHostPort", UrlText::schemeHostAndPort);
        part(registry, "CutScheme", UrlText::withoutScheme);
        part(registry, "CutWWW", UrlText::withoutWww);
        part(registry, "CutWWW2", UrlText::withoutNumberedWww);
        part(registry, "GetTail", UrlText::tail);
        part(registry, "GetPath", UrlText::path);
        text(registry, "GetScheme", url -> url.substring(0, UrlText.schemeLength(url)));
        text(registry, "CutQueryStringAndFragment", UrlText::withoutQuery);
        text(registry, "GetTLD", url -> last(UrlText.host(url)));
        maybe(registry, "GetFragment", UrlText::fragment);
        maybe(registry, "Normalize", url -> UrlParser.normalize(url));
        maybe(
                registry,
                "NormalizeWithDefaultHttpScheme",
                url -> UrlParser.normalize(UrlText.schemeLength(url) == 0 ? "http://" + url : url));
        maybe(registry, "PunycodeToHostName", UrlModule::fromPunycode);
        maybe(registry, "HostNameToPunycode", UrlModule::toPunycode);
        text(registry, "ForcePunycodeToHostName", h -> fromPunycode(h).orElse(h));
        text(registry, "ForceHostNameToPunycode", h -> toPunycode(h).orElse(h));
        registry.add(MODULE, "CanBePunycodeHostName", UrlModule::canBePunycode);
        registry.add(MODULE, "GetPort", UrlModule::port);
        registry.add(MODULE, "GetDomain", UrlModule::domain);
        registry.add(MODULE, "GetDomainLevel", UrlModule::domainLevel);
        registry.add(MODULE, "GetSignificantDomain", UrlModule::significantDomain);
        registry.add(MODULE, "GetCGIParam", UrlModule::parameter);
        registry.add(
                MODULE,
                "Encode",
                c -> bytes(c, b -> Bytes.utf8(UrlText.encode(b.array(), "-._/", false))));
        registry.add(
                MODULE, "Decode", c -> bytes(c, b -> Bytes.wrap(UrlText.decode(b.array(), true))));
        registry.add(MODULE, "Parse", UrlParser::resolve);
        for (String name :
                List.of("IsKnownTLD", "IsWellKnownTLD", "GetOwner", "IsAllowedByRobotsTxt")) {
            registry.refuse(MODULE, name);
        }
        UrlQueries.register(registry);
    }

    private static Value value(String text) {
        return Value.binary(Bytes.utf8(text));
    }

    /// Returns NULL if the part is empty.
    private static void part(Registry registry, String name, UnaryOperator<String> step) {
        maybe(registry, name, url -> Optional.of(step.apply(url)).filter(part -> !part.isEmpty()));
    }

    private static void maybe(
            Registry registry, String name, Function<String, Optional<String>> step) {
        registry.addStrict(
                MODULE,
                name,
                Primitive.STRING.optional(),
                List.of(Registry.Parameter.of(Primitive.STRING)),
                a -> step.apply(Texts.of(a[0])).map(UrlModule::value).orElse(Value.Null.NULL));
    }

    private static void text(Registry registry, String name, UnaryOperator<String> step) {
        registry.addStrict(
                MODULE,
                name,
                Primitive.STRING,
                List.of(Registry.Parameter.of(Primitive.STRING)),
                a -> value(step.apply(Texts.of(a[0]))));
    }

    private static Typed bytes(FunctionCall call, UnaryOperator<Bytes> step) {
        call.expect(1);
        return call.strict(
                Primitive.STRING.optional(),
                List.of(call.as(0, Primitive.STRING)),
                a -> Value.binary(step.apply(Texts.bytes(a[0]))));
    }

    /// The part after the last dot.
    private static String last(String host) {
        return host.substring(host.lastIndexOf('.') + 1);
    }

    private static Optional<String> toPunycode(String host) {
        try {
            return Optional.of(IDN.toASCII(host, IDN.ALLOW_UNASSIGNED));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<String> fromPunycode(String host) {
        String decoded = IDN.toUnicode(host, IDN.ALLOW_UNASSIGNED);
        boolean failed = decoded.equals(host) && host.contains("xn--");
        return failed ? Optional.empty() : Optional.of(decoded);
    }

    private static Typed canBePunycode(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Primitive.BOOL,
                List.of(call.as(0, Primitive.STRING)),
                a -> {
                    String host = Texts.of(a[0]);
                    return Value.bool(host.startsWith("xn--") || host.contains(".xn--"));
                });
    }

    private static Typed port(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Primitive.UINT64.optional(),
                List.of(call.as(0, Primitive.STRING)),
                a ->
                        UrlText.port(Texts.of(a[0]))
                                .map(port -> Value.of((long) port))
                                .orElse(Value.Null.NULL));
    }

    /// `GetDomain(url, level)`: level 1 is the last part of the host.
    private static Typed domain(FunctionCall call) {
        call.expect(2);
        return call.strict(
                Primitive.STRING.optional(),
                List.of(call.as(0, Primitive.STRING), Numbers.of(call, 1, Primitive.UINT8)),
                a -> {
                    String[] parts = UrlText.host(Texts.of(a[0])).split("\\.", -1);
                    int level = (int) ((Value.Int) a[1]).value();
                    if (level == 0 || level > parts.length) {
                        return Value.Null.NULL;
                    }
                    String domain = joined(parts, level);
                    return domain.isEmpty() ? Value.Null.NULL : value(domain);
                });
    }

    private static String joined(String[] parts, int level) {
        var last = List.of(parts).subList(parts.length - level, parts.length);
        return String.join(".", last);
    }

    private static Typed domainLevel(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Primitive.UINT64,
                List.of(call.as(0, Primitive.STRING)),
                a -> Value.of(UrlText.host(Texts.of(a[0])).split("\\.", -1).length));
    }

    /// `GetSignificantDomain(url[, zones])`.
    private static Typed significantDomain(FunctionCall call) {
        call.expect(1, 2);
        var arguments = new ArrayList<Typed>();
        arguments.add(call.as(0, Primitive.STRING));
        if (call.count() == 2) {
            Type zones = new Type.ListOf(Primitive.STRING);
            arguments.add(call.as(1, zones));
        }
        return call.strict(
                Primitive.STRING,
                arguments,
                a -> {
                    List<String> zones =
                            a.length == 2
                                    ? Lists.items(a[1]).stream().map(Texts::of).toList()
                                    : ZONES;
                    String host = UrlText.host(Texts.of(a[0]));
                    String[] parts = host.split("\\.", -1);
                    if (parts.length <= 2) {
                        return value(host);
                    }
                    boolean zone = zones.contains(parts[parts.length - 2]);
                    return value(joined(parts, zone ? 3 : 2));
                });
    }

    private static Typed parameter(FunctionCall call) {
        call.expect(2);
        return call.strict(
                Primitive.STRING.optional(),
                List.of(call.as(0, Primitive.STRING), call.as(1, Primitive.STRING)),
                a ->
                        UrlText.parameter(Texts.of(a[0]), Texts.of(a[1]))
                                .map(UrlModule::value)
                                .orElse(Value.Null.NULL));
    }
}

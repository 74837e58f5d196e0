package io.cleave.http;

import io.cleave.base.Env;
import io.grpc.netty.shaded.io.netty.util.NetUtil;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The names by which clients may ask for this server: `localhost`, the machine's name, addresses
/// of this machine, and those that were given.
///
/// A browser sends the name that a page was loaded from. If that is an attacker's, which he has
/// made to mean this machine (DNS rebinding), it is none of these.
public final class HostNames {
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:([A-Za-z0-9._-]+)|\\[([0-9A-Fa-f:.]+)\\])(:[0-9]{1,5})?");

    private final Set<String> names = new HashSet<>();

    /// Asking for it may take the system a while, so it comes later.
    private volatile String machineName = "";

    private HostNames(Collection<String> given) {
        names.add("localhost");
        given.forEach(name -> names.add(normal(name)));
    }

    public static HostNames of(Env env, Collection<String> given) {
        var hosts = new HostNames(given);
        env.spawn("host-name", hosts::findMachineName);
        return hosts;
    }

    /// Whether it can be given: a name or an address, without a port.
    public static boolean isName(String text) {
        Matcher matcher = AUTHORITY.matcher(text);
        return matcher.matches() && matcher.group(3) == null;
    }

    private void findMachineName() {
        try {
            machineName = normal(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException _) {
            // A machine whose name means nothing is not asked by that name.
        }
    }

    /// Whether it has the form of a Host header: a name or an address, with or without a port.
    static boolean isAuthority(String text) {
        return AUTHORITY.matcher(text).matches();
    }

    /// Whether a Host header means this server; `local` is the address that the client has
    /// connected to.
    boolean fit(String authority, InetAddress local) {
        Matcher matcher = AUTHORITY.matcher(authority);
        if (!matcher.matches()) {
            return false;
        }
        String name = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        return names.contains(normal(name)) || isMachine(normal(name)) || isOwn(name, local);
    }

    /// `db1` and `db1.example.org` if the machine is called `db1.example.org`.
    private boolean isMachine(String name) {
        String machine = machineName;
        return machine.equals(name) || machine.split("\\.", 2)[0].equals(name);
    }

    private static boolean isOwn(String text, InetAddress local) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        if (bytes == null) {
            return false;
        }
        try {
            InetAddress address = InetAddress.getByAddress(bytes);
            return address.isLoopbackAddress() || address.equals(local);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // only for a wrong number of bytes
        }
    }

    private static String normal(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        String bare =
                lower.startsWith("[") && lower.endsWith("]")
                        ? lower.substring(1, lower.length() - 1)
                        : lower;
        return bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
    }
}

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

/// The names by which clients may address this server: `localhost`, the machine's name, the
/// machine's addresses, and the configured names.
///
/// This protects against DNS rebinding. A browser sends the host name that a page was loaded from.
/// An attacker can make his own name resolve to this machine, but that name is not in this list.
public final class HostNames {
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:([A-Za-z0-9._-]+)|\\[([0-9A-Fa-f:.]+)\\])(:[0-9]{1,5})?");

    private final Set<String> names = new HashSet<>();

    /// Looked up in the background, because the system may take a while to answer.
    private volatile String machineName = "";

    /// The last Host header that was found to name this server.
    private volatile Known lastKnown = new Known("", InetAddress.getLoopbackAddress());

    private record Known(String authority, InetAddress local) {
        boolean is(String other, InetAddress address) {
            return authority.equals(other) && local.equals(address);
        }
    }

    private HostNames(Collection<String> given) {
        names.add("localhost");
        given.forEach(name -> names.add(normal(name)));
    }

    public static HostNames of(Env env, Collection<String> given) {
        var hosts = new HostNames(given);
        env.spawn("host-name", hosts::findMachineName);
        return hosts;
    }

    /// Whether the text may be configured as a name: a name or an address, without a port.
    public static boolean isName(String text) {
        Matcher matcher = AUTHORITY.matcher(text);
        return matcher.matches() && matcher.group(3) == null;
    }

    private void findMachineName() {
        try {
            machineName = normal(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException _) {
            // A machine whose name does not resolve cannot be addressed by that name.
        }
    }

    /// Whether the text has the form of a Host header: a name or an address, with or without a
    /// port.
    static boolean isAuthority(String text) {
        return AUTHORITY.matcher(text).matches();
    }

    /// Whether a Host header names this server. `local` is the address to which the client has
    /// connected.
    boolean fit(String authority, InetAddress local) {
        if (lastKnown.is(authority, local)) {
            return true;
        }
        boolean fits = isOurs(authority, local);
        if (fits) {
            lastKnown = new Known(authority, local);
        }
        return fits;
    }

    private boolean isOurs(String authority, InetAddress local) {
        Matcher matcher = AUTHORITY.matcher(authority);
        if (!matcher.matches()) {
            return false;
        }
        String name = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        return names.contains(normal(name)) || isMachine(normal(name)) || isOwn(name, local);
    }

    /// Whether the name is that of the machine. A machine called `db1.example.org` is also
    /// addressed as `db1`. An empty name never matches: the host `.` has one, and the machine has
    /// one before its name is found.
    private boolean isMachine(String name) {
        String machine = machineName;
        if (name.isEmpty()) {
            return false;
        }
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

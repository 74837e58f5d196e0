package io.cleave.function.text;

import java.util.Arrays;
import java.util.Optional;

/// IPv4 addresses (4 bytes) and IPv6 addresses (16 bytes), big-endian, and their text forms.
final class IpAddress {
    static final int V4_BYTES = 4;
    static final int V6_BYTES = 16;
    private static final int GROUPS = 8;

    private IpAddress() {}

    /// Empty if the text is neither `1.2.3.4` nor `1:2::3`.
    static Optional<byte[]> parse(String text) {
        return text.indexOf(':') < 0 ? parseV4(text) : parseV6(text);
    }

    private static Optional<byte[]> parseV4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != V4_BYTES) {
            return Optional.empty();
        }
        byte[] address = new byte[V4_BYTES];
        for (int index = 0; index < V4_BYTES; index++) {
            int number = number(parts[index], 10, 3);
            if (number < 0 || number > 0xFF) {
                return Optional.empty();
            }
            address[index] = (byte) number;
        }
        return Optional.of(address);
    }

    /// Returns -1 if the text is not a number of at most `maxDigits` digits.
    private static int number(String text, int radix, int maxDigits) {
        boolean digits =
                !text.isEmpty()
                        && text.length() <= maxDigits
                        && text.chars().allMatch(c -> c < 0x80 && Character.digit(c, radix) >= 0);
        return digits ? Integer.parseInt(text, radix) : -1;
    }

    private static Optional<byte[]> parseV6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return groups(text).filter(groups -> groups.length == V6_BYTES);
        }
        Optional<byte[]> head = groups(text.substring(0, gap));
        Optional<byte[]> tail = groups(text.substring(gap + 2));
        if (head.isEmpty() || tail.isEmpty()) {
            return Optional.empty();
        }
        int bytes = head.get().length + tail.get().length;
        if (bytes > V6_BYTES - 2) {
            return Optional.empty();
        }
        byte[] address = Arrays.copyOf(head.get(), V6_BYTES);
        System.arraycopy(tail.get(), 0, address, V6_BYTES - tail.get().length, tail.get().length);
        return Optional.of(address);
    }

    /// The bytes of `1:2:3`; the last group may be an IPv4 address.
    private static Optional<byte[]> groups(String text) {
        if (text.isEmpty()) {
            return Optional.of(new byte[0]);
        }
        String[] parts = text.split(":", -1);
        if (parts.length > GROUPS) {
            return Optional.empty();
        }
        byte[] groups = new byte[0];
        for (int index = 0; index < parts.length; index++) {
            byte[] group;
            int number = number(parts[index], 16, 4);
            if (number >= 0) {
                group = new byte[] {(byte) (number >> 8), (byte) number};
            } else {
                Optional<byte[]> last =
                        index == parts.length - 1 ? parseV4(parts[index]) : Optional.empty();
                if (last.isEmpty()) {
                    return Optional.empty();
                }
                group = last.get();
            }
            int at = groups.length;
            groups = Arrays.copyOf(groups, at + group.length);
            System.arraycopy(group, 0, groups, at, group.length);
        }
        return Optional.of(groups);
    }

    static String print(byte[] address) {
        return address.length == V4_BYTES ? printV4(address) : printV6(address);
    }

    private static String printV4(byte[] address) {
        return "%d.%d.%d.%d"
                .formatted(
                        address[0] & 0xFF, address[1] & 0xFF, address[2] & 0xFF, address[3] & 0xFF);
    }

    /// The first of the longest runs of zeros is omitted, as RFC 5952 requires.
    private static String printV6(byte[] address) {
        int[] groups = new int[GROUPS];
        for (int group = 0; group < GROUPS; group++) {
            groups[group] = (address[2 * group] & 0xFF) << 8 | (address[2 * group + 1] & 0xFF);
        }
        int gapFrom = -1;
        int gapTo = -1;
        for (int from = 0; from < GROUPS; from++) {
            int to = from;
            while (to < GROUPS && groups[to] == 0) {
                to++;
            }
            if (to - from > Math.max(1, gapTo - gapFrom)) {
                gapFrom = from;
                gapTo = to;
            }
        }
        if (isEmbeddedV4(address)) {
            return "::ffff:" + printV4(Arrays.copyOfRange(address, 12, V6_BYTES));
        }
        var out = new StringBuilder();
        for (int group = 0; group < GROUPS; group++) {
            if (group == gapFrom) {
                out.append("::");
                group = gapTo - 1;
            } else {
                if (group > 0 && group != gapTo) {
                    out.append(':');
                }
                out.append(Integer.toHexString(groups[group]));
            }
        }
        return out.toString();
    }

    /// Whether the address has the form `::ffff:1.2.3.4`.
    static boolean isEmbeddedV4(byte[] address) {
        if (address.length != V6_BYTES || address[10] != -1 || address[11] != -1) {
            return false;
        }
        for (int index = 0; index < 10; index++) {
            if (address[index] != 0) {
                return false;
            }
        }
        return true;
    }

    static byte[] mask(int length, int prefixBits) {
        byte[] mask = new byte[length];
        for (int bit = 0; bit < Math.min(prefixBits, length * Byte.SIZE); bit++) {
            mask[bit / Byte.SIZE] |= (byte) (0x80 >> bit % Byte.SIZE);
        }
        return mask;
    }

    static byte[] masked(byte[] address, byte[] mask) {
        byte[] result = new byte[address.length];
        for (int index = 0; index < result.length; index++) {
            result[index] = (byte) (address[index] & mask[index]);
        }
        return result;
    }
}

package io.cleave.lsm.row;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Compares and hashes keys that are part of an array. Keys are short, so this is faster than the
/// library's methods for whole arrays.
public final class Keys {
    private static final VarHandle BIG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Keys() {}

    /// Compares bytes as unsigned numbers; a prefix comes before the longer key.
    public static int compare(byte[] a, int aFrom, int aTo, byte[] b, int bFrom, int bTo) {
        int common = Math.min(aTo - aFrom, bTo - bFrom);
        int at = 0;
        for (; at + Long.BYTES <= common; at += Long.BYTES) {
            long left = (long) BIG.get(a, aFrom + at);
            long right = (long) BIG.get(b, bFrom + at);
            if (left != right) {
                return Long.compareUnsigned(left, right);
            }
        }
        for (; at < common; at++) {
            int order = (a[aFrom + at] & 0xFF) - (b[bFrom + at] & 0xFF);
            if (order != 0) {
                return order;
            }
        }
        return (aTo - aFrom) - (bTo - bFrom);
    }

    public static int compare(Bytes a, Bytes b) {
        return compare(a.array(), 0, a.length(), b.array(), 0, b.length());
    }

    /// The greater of two lower bounds.
    public static Bytes later(Bytes from, Bytes otherFrom) {
        return compare(from, otherFrom) < 0 ? otherFrom : from;
    }

    /// The lesser of two upper bounds; null means no bound.
    public static @Nullable Bytes earlier(@Nullable Bytes to, @Nullable Bytes otherTo) {
        if (to == null || otherTo == null) {
            return to == null ? otherTo : to;
        }
        return compare(to, otherTo) < 0 ? to : otherTo;
    }

    /// The length of the common prefix of two keys.
    public static int common(byte[] a, int aBytes, byte[] b, int bBytes) {
        int most = Math.min(aBytes, bBytes);
        int at = 0;
        for (; at + Long.BYTES <= most; at += Long.BYTES) {
            long differing = (long) BIG.get(a, at) ^ (long) BIG.get(b, at);
            if (differing != 0) {
                return at + Long.numberOfLeadingZeros(differing) / Byte.SIZE;
            }
        }
        while (at < most && a[at] == b[at]) {
            at++;
        }
        return at;
    }

    /// The eight bytes from `from` on, as a number whose signed order is the order of the keys. A
    /// shorter key is padded with zeros.
    public static long head(byte[] key, int from, int to) {
        if (to - from >= Long.BYTES) {
            return (long) BIG.get(key, from) ^ Long.MIN_VALUE;
        }
        long head = 0;
        for (int at = from; at < to; at++) {
            head |= (key[at] & 0xFFL) << (Byte.SIZE * (Long.BYTES - 1 - (at - from)));
        }
        return head ^ Long.MIN_VALUE;
    }

    /// A hash of the whole key. It is stored on disk, in filters and samples, so it must never
    /// change.
    public static long hash(byte[] key, int keyBytes) {
        long hash = keyBytes * 0x9E3779B97F4A7C15L;
        int at = 0;
        for (; at + Long.BYTES <= keyBytes; at += Long.BYTES) {
            hash = mix(hash ^ (long) BIG.get(key, at));
        }
        if (at < keyBytes) {
            long tail = 0;
            for (; at < keyBytes; at++) {
                tail = (tail << Byte.SIZE) | (key[at] & 0xFF);
            }
            hash = mix(hash ^ tail);
        }
        return hash ^ (hash >>> 32);
    }

    private static long mix(long value) {
        long product = value * 0xD6E8FEB86659FD93L;
        return (product ^ (product >>> 32)) * 0xD6E8FEB86659FD93L;
    }
}

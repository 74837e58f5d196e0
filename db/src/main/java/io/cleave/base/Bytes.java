package io.cleave.base;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// An immutable byte string, ordered as unsigned bytes. Every key in the store has this order.
///
/// Invariant: the array never changes once it is wrapped, so a caller that wraps an array must not
/// write to it any more.
public final class Bytes implements Comparable<Bytes> {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] data;

    /// Computed on first use; 0 means not yet. Racing threads compute the same number.
    private int hash;

    private Bytes(byte[] data) {
        this.data = data;
    }

    /// Takes ownership of the array: the caller must not write to it again.
    public static Bytes wrap(byte[] data) {
        return data.length == 0 ? EMPTY : new Bytes(data);
    }

    public static Bytes copyOf(byte[] data, int from, int to) {
        return wrap(Arrays.copyOfRange(data, from, to));
    }

    public static Bytes utf8(String text) {
        return wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    public int length() {
        return data.length;
    }

    public boolean isEmpty() {
        return data.length == 0;
    }

    public byte at(int index) {
        return data[index];
    }

    /// The internal array, not a copy. It must not be modified.
    public byte[] array() {
        return data;
    }

    public boolean startsWith(Bytes prefix) {
        return data.length >= prefix.data.length
                && Arrays.equals(data, 0, prefix.data.length, prefix.data, 0, prefix.data.length);
    }

    /// The least byte string that is greater than this one.
    public Bytes successor() {
        return wrap(Arrays.copyOf(data, data.length + 1));
    }

    public String utf8() {
        return new String(data, StandardCharsets.UTF_8);
    }

    public String hex() {
        return HexFormat.of().formatHex(data);
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(data, other.data);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(data, that.data);
    }

    @Override
    public int hashCode() {
        int known = hash;
        if (known == 0) {
            known = Arrays.hashCode(data);
            hash = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return "0x" + hex();
    }
}

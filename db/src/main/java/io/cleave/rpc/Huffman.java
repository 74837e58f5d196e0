package io.cleave.rpc;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;

import java.util.Arrays;

/// The Huffman code of HPACK (RFC 7541, appendix B). It is canonical, so the code lengths define
/// it: shorter codes come first, and codes of equal length are in the order of their symbols.
///
/// Decoding goes byte by byte through tables of 256 entries. There is one table for each prefix of
/// whole bytes of a longer code.
final class Huffman {
    private static final int SYMBOLS = 257;
    private static final int END_OF_TEXT = 256;
    private static final int LONGEST_PADDING_BITS = 7;

    /// Marks, while the tables are built, entries that no code has reached.
    private static final int NOTHING = Integer.MAX_VALUE;

    /// Code length of each symbol.
    private static final byte[] CODE_BITS = {
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, //
        28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28, //
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, //
        5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, //
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, //
        7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, //
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, //
        6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, //
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, //
        24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, //
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, //
        21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, //
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, //
        19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, //
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, //
        26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, //
        30
    };

    /// At `table * 256 + the next eight bits`: a symbol and how many of these bits it uses (`bits
    /// << 16 | symbol`), or the table for the next byte (`~table`).
    private static final int[] TABLES = tables();

    private Huffman() {}

    /// The shortest code has five bits.
    static int mostChars(int codedBytes) {
        return codedBytes * 8 / 5;
    }

    /// Decodes `codedBytes` into `text`, which must have room for [#mostChars]. Returns the number
    /// of characters, or -1 if the bytes are not valid.
    static int decode(ByteBuf in, int codedBytes, byte[] text) {
        int length = 0;
        int table = 0;
        long bits = 0;
        int bitCount = 0;
        // Bits since the last symbol. At most seven may be padding.
        int codeBits = 0;
        int left = codedBytes;
        while (true) {
            if (bitCount < 8 && left > 0) {
                bits = bits << 8 | in.readUnsignedByte();
                bitCount += 8;
                left--;
                continue;
            }
            if (bitCount == 0) {
                break;
            }
            int next =
                    (int)
                                    (bitCount >= 8
                                            ? bits >>> (bitCount - 8)
                                            : bits << (8 - bitCount) | ones(8 - bitCount))
                            & 0xff;
            int entry = TABLES[table << 8 | next];
            if (entry < 0) {
                if (bitCount < 8) {
                    codeBits += bitCount;
                    break;
                }
                table = ~entry;
                bitCount -= 8;
                codeBits += 8;
                continue;
            }
            int taken = entry >>> 16;
            int symbol = entry & 0xffff;
            if (taken > bitCount) {
                codeBits += bitCount;
                break;
            }
            if (symbol == END_OF_TEXT) {
                return -1;
            }
            text[length++] = (byte) symbol;
            bitCount -= taken;
            table = 0;
            codeBits = 0;
        }
        return isPadding(bits, codeBits) ? length : -1;
    }

    /// The padding consists of the first bits of [#END_OF_TEXT], which are ones.
    private static boolean isPadding(long bits, int bitCount) {
        return bitCount <= LONGEST_PADDING_BITS && (bits & ones(bitCount)) == ones(bitCount);
    }

    private static long ones(int bitCount) {
        return (1L << bitCount) - 1;
    }

    private static int[] tables() {
        // Prefixes of whole bytes that have longer codes. They are few, as long codes all begin
        // with ones.
        int[] tables = new int[256 * 64];
        int tableCount = 1;
        Arrays.fill(tables, NOTHING);
        int code = 0;
        for (int bits = 5; bits <= 30; bits++) {
            for (int symbol = 0; symbol < SYMBOLS; symbol++) {
                if (CODE_BITS[symbol] != bits) {
                    continue;
                }
                int table = 0;
                int rest = bits;
                while (rest > 8) {
                    int at = table << 8 | ((code >>> (rest - 8)) & 0xff);
                    if (tables[at] == NOTHING) {
                        tables[at] = ~tableCount++;
                    }
                    table = ~tables[at];
                    rest -= 8;
                }
                int first = table << 8 | ((code << (8 - rest)) & 0xff);
                Arrays.fill(tables, first, first + (1 << (8 - rest)), rest << 16 | symbol);
                code++;
            }
            code <<= 1;
        }
        return Arrays.copyOf(tables, tableCount << 8);
    }
}

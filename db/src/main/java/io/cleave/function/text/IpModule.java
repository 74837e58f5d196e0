package io.cleave.function.text;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The module `Ip`. An address is a String of 4 or 16 bytes. A subnet is an address followed by its
/// mask.
public final class IpModule {
    private static final String MODULE = "Ip";
    private static final int USUAL_V4_PREFIX = 24;
    private static final int USUAL_V6_PREFIX = 64;

    private IpModule() {}

    public static void register(Registry registry) {
        registry.add(MODULE, "FromString", c -> parse(c, IpAddress::parse));
        registry.add(MODULE, "SubnetFromString", c -> parse(c, IpModule::parseSubnet));
        registry.add(MODULE, "ToString", IpModule::print);
        registry.add(MODULE, "SubnetToString", IpModule::printSubnet);
        is(registry, "IsIPv4", address -> address.length == IpAddress.V4_BYTES);
        is(registry, "IsIPv6", address -> address.length == IpAddress.V6_BYTES);
        is(registry, "IsEmbeddedIPv4", IpAddress::isEmbeddedV4);
        registry.add(MODULE, "ConvertToIPv6", IpModule::convert);
        registry.add(MODULE, "GetSubnet", IpModule::subnet);
        registry.add(MODULE, "GetSubnetByMask", IpModule::subnetByMask);
        registry.add(MODULE, "SubnetMatch", IpModule::match);
        registry.add(MODULE, "Ipv4FromUint32", IpModule::fromNumber);
        registry.add(MODULE, "Ipv4ToUint32", IpModule::toNumber);
    }

    private interface Reader {
        Optional<byte[]> read(String text);
    }

    private static Typed parse(FunctionCall call, Reader reader) {
        call.expect(1);
        return call.strict(
                Primitive.STRING.optional(),
                List.of(call.as(0, Primitive.STRING)),
                a -> reader.read(Texts.of(a[0])).map(IpModule::value).orElse(Value.Null.NULL));
    }

    private static Value value(byte[] bytes) {
        return Value.binary(Bytes.wrap(bytes));
    }

    /// Parses `10.0.0.0/8`; an address alone is a subnet of one address.
    private static Optional<byte[]> parseSubnet(String text) {
        int slash = text.indexOf('/');
        Optional<byte[]> address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        if (address.isEmpty()) {
            return address;
        }
        int bits = address.get().length * Byte.SIZE;
        int prefix = bits;
        if (slash >= 0) {
            String digits = text.substring(slash + 1);
            if (digits.isEmpty()
                    || digits.length() > 3
                    || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Optional.empty();
            }
            prefix = Integer.parseInt(digits);
        }
        if (prefix > bits) {
            return Optional.empty();
        }
        byte[] mask = IpAddress.mask(address.get().length, prefix);
        return Optional.of(joined(IpAddress.masked(address.get(), mask), mask));
    }

    private static byte[] joined(byte[] address, byte[] mask) {
        byte[] both = Arrays.copyOf(address, address.length + mask.length);
        System.arraycopy(mask, 0, both, address.length, mask.length);
        return both;
    }

    /// The bytes of an address; a value of another length fails the query.
    private static byte[] address(Position at, Value value) {
        byte[] bytes = Texts.bytes(value).array();
        if (bytes.length != IpAddress.V4_BYTES && bytes.length != IpAddress.V6_BYTES) {
            throw Errors.failure(
                    at, "Incorrect size of input, expected 4 or 16, got " + bytes.length);
        }
        return bytes;
    }

    private record Subnet(Bytes first, Bytes bits) {
        byte[] from() {
            return first.array();
        }

        byte[] mask() {
            return bits.array();
        }

        boolean has(byte[] address) {
            return address.length == from().length
                    && Arrays.equals(IpAddress.masked(address, mask()), from());
        }
    }

    private static Subnet subnet(Position at, Value value) {
        byte[] bytes = Texts.bytes(value).array();
        int half = bytes.length / 2;
        if (bytes.length != 2 * IpAddress.V4_BYTES && bytes.length != 2 * IpAddress.V6_BYTES) {
            throw Errors.failure(at, "Invalid binary representation");
        }
        byte[] mask = Arrays.copyOfRange(bytes, half, bytes.length);
        byte[] from = IpAddress.masked(Arrays.copyOf(bytes, half), mask);
        return new Subnet(Bytes.wrap(from), Bytes.wrap(mask));
    }

    private static Typed print(FunctionCall call) {
        call.expect(1);
        Position at = call.at();
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, Primitive.STRING)),
                a -> Value.binary(Bytes.utf8(IpAddress.print(address(at, a[0])))));
    }

    private static Typed printSubnet(FunctionCall call) {
        call.expect(1);
        Position at = call.at();
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, Primitive.STRING)),
                a -> {
                    Subnet subnet = subnet(at, a[0]);
                    int prefix = 0;
                    for (byte part : subnet.mask()) {
                        prefix += Integer.bitCount(part & 0xFF);
                    }
                    return Value.binary(Bytes.utf8(IpAddress.print(subnet.from()) + "/" + prefix));
                });
    }

    /// The result for NULL is false.
    private static void is(Registry registry, String name, Predicate<byte[]> test) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(1);
                    return call.apply(
                            Primitive.BOOL,
                            List.of(call.as(0, Primitive.STRING)),
                            a ->
                                    Value.bool(
                                            !a[0].isNull()
                                                    && test.test(Texts.bytes(a[0]).array())));
                });
    }

    private static Typed convert(FunctionCall call) {
        call.expect(1);
        Position at = call.at();
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, Primitive.STRING)),
                a -> {
                    byte[] address = address(at, a[0]);
                    if (address.length == IpAddress.V6_BYTES) {
                        return a[0];
                    }
                    byte[] wide = new byte[IpAddress.V6_BYTES];
                    wide[10] = -1;
                    wide[11] = -1;
                    System.arraycopy(address, 0, wide, 12, IpAddress.V4_BYTES);
                    return value(wide);
                });
    }

    /// `GetSubnet(address[, prefix])`.
    private static Typed subnet(FunctionCall call) {
        call.expect(1, 2);
        Position at = call.at();
        Typed prefix =
                call.count() == 2
                        ? Numbers.of(call, 1, Primitive.UINT8)
                        : new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
        Typed address = call.as(0, Primitive.STRING);
        return call.apply(
                address.type().isOptional() ? Primitive.STRING.optional() : Primitive.STRING,
                List.of(address, prefix),
                a -> {
                    if (a[0].isNull()) {
                        return a[0];
                    }
                    byte[] bytes = address(at, a[0]);
                    int bits = a[1] instanceof Value.Int(long number) ? (int) number : 0;
                    int usual =
                            bytes.length == IpAddress.V4_BYTES ? USUAL_V4_PREFIX : USUAL_V6_PREFIX;
                    byte[] mask = IpAddress.mask(bytes.length, bits == 0 ? usual : bits);
                    return value(IpAddress.masked(bytes, mask));
                });
    }

    private static Typed subnetByMask(FunctionCall call) {
        call.expect(2);
        Position at = call.at();
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, Primitive.STRING), call.as(1, Primitive.STRING)),
                a -> {
                    byte[] base = address(at, a[0]);
                    byte[] mask = address(at, a[1]);
                    if (base.length != mask.length) {
                        throw Errors.failure(at, "Base and mask differ in length");
                    }
                    return value(IpAddress.masked(base, mask));
                });
    }

    /// `SubnetMatch(subnet, address or subnet)`.
    private static Typed match(FunctionCall call) {
        call.expect(2);
        Position at = call.at();
        return call.strict(
                Primitive.BOOL,
                List.of(call.as(0, Primitive.STRING), call.as(1, Primitive.STRING)),
                a -> {
                    Subnet subnet = subnet(at, a[0]);
                    int length = Texts.bytes(a[1]).length();
                    if (length == IpAddress.V4_BYTES || length == IpAddress.V6_BYTES) {
                        return Value.bool(subnet.has(address(at, a[1])));
                    }
                    Subnet inner = subnet(at, a[1]);
                    boolean narrower =
                            inner.mask().length == subnet.mask().length
                                    && Arrays.equals(
                                            IpAddress.masked(inner.mask(), subnet.mask()),
                                            subnet.mask());
                    return Value.bool(narrower && subnet.has(inner.from()));
                });
    }

    private static Typed fromNumber(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Primitive.STRING,
                List.of(Numbers.of(call, 0, Primitive.UINT32)),
                a ->
                        value(
                                ByteBuffer.allocate(Integer.BYTES)
                                        .putInt((int) ((Value.Int) a[0]).value())
                                        .array()));
    }

    private static Typed toNumber(FunctionCall call) {
        call.expect(1);
        Position at = call.at();
        return call.strict(
                Primitive.UINT32.optional(),
                List.of(call.as(0, Primitive.STRING)),
                a -> {
                    byte[] address = address(at, a[0]);
                    return address.length == IpAddress.V4_BYTES
                            ? Value.of(Integer.toUnsignedLong(ByteBuffer.wrap(address).getInt()))
                            : Value.Null.NULL;
                });
    }
}

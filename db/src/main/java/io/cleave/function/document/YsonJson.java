package io.cleave.function.document;

import io.cleave.base.Bytes;
import io.cleave.value.Ints;
import io.cleave.value.Json;
import io.cleave.value.ValueParser;
import io.cleave.value.YsonNode;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// Converts JSON to YSON and back.
final class YsonJson {
    /// Integers up to this limit are exact in a double.
    private static final double MAX_WHOLE = 0x1p53;

    private YsonJson() {}

    static YsonNode fromJson(Json json) {
        return switch (json) {
            case Json.Constant.NULL -> new YsonNode.Entity();
            case Json.Constant constant -> new YsonNode.Bool(constant == Json.Constant.TRUE);
            case Json.Numeral(_, Optional<BigInteger> whole) when whole.isPresent() ->
                    whole.get().bitLength() < Long.SIZE
                            ? new YsonNode.Int64(whole.get().longValue())
                            : new YsonNode.Uint64(whole.get().longValue());
            case Json.Numeral(double number, _) ->
                    number == Math.rint(number) && Math.abs(number) <= MAX_WHOLE
                            ? new YsonNode.Int64((long) number)
                            : new YsonNode.Real(number);
            case Json.Text(String text) -> new YsonNode.Text(Bytes.utf8(text));
            case Json.Array(List<Json> items) ->
                    new YsonNode.Items(items.stream().map(YsonJson::fromJson).toList());
            case Json.Members(SequencedMap<String, Json> members) -> {
                var nodes = new LinkedHashMap<Bytes, YsonNode>();
                members.forEach((name, value) -> nodes.put(Bytes.utf8(name), fromJson(value)));
                yield new YsonNode.Members(nodes);
            }
        };
    }

    /// How to write YSON that has no exact form in JSON. `skipMapEntity` omits members that are
    /// `#`. `encodeUtf8` writes every byte of a string as one character. `nanAsString` writes
    /// numbers that are not finite as strings.
    record Writing(boolean skipMapEntity, boolean encodeUtf8, boolean nanAsString) {
        static final Writing USUAL = new Writing(false, false, false);

        private Optional<String> text(Bytes bytes) {
            return encodeUtf8
                    ? Optional.of(new String(bytes.array(), StandardCharsets.ISO_8859_1))
                    : ValueParser.utf8(bytes);
        }

        private Optional<Json> number(double value) {
            if (Double.isFinite(value)) {
                return Optional.of(new Json.Numeral(value));
            }
            String name = Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
            return nanAsString ? Optional.of(new Json.Text(name)) : Optional.empty();
        }
    }

    static Optional<Json> toJson(YsonNode node) {
        return toJson(node, Writing.USUAL);
    }

    /// Empty if a string is not valid UTF-8 or a number is not finite, unless `writing` allows it.
    /// Attributes become `$attributes` and `$value`.
    static Optional<Json> toJson(YsonNode node, Writing writing) {
        return switch (node) {
            case YsonNode.Entity _ -> Optional.of(Json.Constant.NULL);
            case YsonNode.Bool(boolean value) ->
                    Optional.of(value ? Json.Constant.TRUE : Json.Constant.FALSE);
            case YsonNode.Int64(long value) ->
                    Optional.of(Json.Numeral.of(BigInteger.valueOf(value)));
            case YsonNode.Uint64(long value) ->
                    Optional.of(Json.Numeral.of(Ints.number(true, value)));
            case YsonNode.Real(double value) -> writing.number(value);
            case YsonNode.Text(Bytes value) -> writing.text(value).map(Json.Text::new);
            case YsonNode.Items(List<YsonNode> items) -> {
                var all = new ArrayList<Json>();
                for (YsonNode item : items) {
                    Optional<Json> json = toJson(item, writing);
                    if (json.isEmpty()) {
                        yield json;
                    }
                    all.add(json.get());
                }
                yield Optional.of(new Json.Array(all));
            }
            case YsonNode.Members(SequencedMap<Bytes, YsonNode> members) -> {
                var all = new LinkedHashMap<String, Json>();
                for (var member : members.entrySet()) {
                    if (writing.skipMapEntity() && member.getValue() instanceof YsonNode.Entity) {
                        continue;
                    }
                    Optional<String> name = writing.text(member.getKey());
                    Optional<Json> json = toJson(member.getValue(), writing);
                    if (name.isEmpty() || json.isEmpty()) {
                        yield Optional.empty();
                    }
                    all.put(name.get(), json.get());
                }
                yield Optional.of(new Json.Members(all));
            }
            case YsonNode.Attributed(YsonNode.Members attributes, YsonNode value) -> {
                Optional<Json> above = toJson(attributes, writing);
                Optional<Json> below = toJson(value, writing);
                if (above.isEmpty() || below.isEmpty()) {
                    yield Optional.empty();
                }
                var both = new LinkedHashMap<String, Json>();
                both.put("$attributes", above.get());
                both.put("$value", below.get());
                yield Optional.of(new Json.Members(both));
            }
        };
    }
}

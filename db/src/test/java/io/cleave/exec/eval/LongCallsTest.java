package io.cleave.exec.eval;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.FakeDatabase;
import io.cleave.exec.QueryBench;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// One call of a function that takes long looks whether the query should end.
class LongCallsTest {
    /// What is large, by the name under which expressions ask for it.
    private static final Map<String, String> LARGE =
            Map.ofEntries(
                    Map.entry("$ints", ints("$x * 7919 % 200003")),
                    Map.entry("$falses", ints("false")),
                    Map.entry("$optionals", ints("Just($x)")),
                    Map.entry("$lists", ints("[$x]")),
                    Map.entry("$structs", ints("AsStruct($x AS a)")),
                    Map.entry("$pairs", ints("($x, $x)")),
                    Map.entry("$strings", ints("CAST($x AS String)")),
                    Map.entry("$set", "ToSet(ListFromRange(0, 200000))"),
                    Map.entry("$text", "ListConcat(ListReplicate('a', 200000))"),
                    Map.entry("$utf", "ListConcat(ListReplicate('a'u, 200000))"),
                    Map.entry("$part", "ListConcat(ListReplicate('a', 30000)) || 'b'"),
                    Map.entry(
                            "$json",
                            "CAST('[' || ListConcat(ListReplicate('1', 3000), ',') || ']' AS"
                                    + " Json)"),
                    Map.entry(
                            "$jsonSource",
                            "'{\"a\":[' || ListConcat(ListReplicate('1', 200000), ',') || ']}'"),
                    Map.entry(
                            "$jsonLong",
                            "CAST('{\"a\":[' || ListConcat(ListReplicate('1', 200000), ',') || ']}'"
                                    + " AS Json)"),
                    Map.entry(
                            "$jsonText",
                            "CAST('\"' || ListConcat(ListReplicate('a', 200000)) || '\"' AS"
                                    + " Json)"));

    /// So often a list of that length is looked at before and after the call.
    private static final int AROUND = 4;

    /// So often a lambda that is called for each item looks.
    private static final int BY_LAMBDA = 200_000 / 512;

    private final QueryBench<FakeDatabase> bench = QueryBench.fake();

    private static String ints(String item) {
        return "ListMap(ListFromRange(0, 200000), ($x) -> (%s))".formatted(item);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ListSort($ints)",
                "ListSortDesc($ints)",
                "ListTop($ints, 5)",
                "ListUniq($ints)",
                "ListNotNull($optionals)",
                "ListFlatten($lists)",
                "ListHas($ints, -1)",
                "ListIndexOf($ints, -1)",
                "ListZip($ints, $ints)",
                "ListZipAll($ints, $ints)",
                "ListEnumerate($ints)",
                "ListMin($ints)",
                "ListMax($ints)",
                "ListSum($ints)",
                "ListAvg($ints)",
                "ListAny($falses)",
                "ListExtract($structs, 'a')",
                "ListUnionAll($structs, $structs)",
                "ListConcat($strings, ',')",
                "ListSample($ints, 0.5)",
                "ListSampleN($ints, 5)",
                "ListShuffle($ints)",
                "ListAggregate($ints, AggregationFactory('sum'))",
                "ListFromRange(0.0, 200000.0)",
                "ToSet($ints)",
                "ToDict($pairs)",
                "ToMultiDict($pairs)",
                "DictKeys($set)",
                "DictPayloads($set)",
                "DictItems($set)",
                "DictContains($set, -1)",
                "DictLookup($set, -1)",
                "SetUnion($set, $set)",
                "SetIncludes($set, $set)",
                "String::JoinFromList($strings, ',')",
                "String::SplitToList($text, 'a')",
                "-1 IN $ints"
            })
    void onLists(String call) {
        assertLooks(call, AROUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ListSort($ints, ($x) -> (-$x))",
                "ListTopDesc($ints, 5, ($x) -> (-$x))",
            })
    void sortsByAKey(String call) {
        assertLooks(call, AROUND + BY_LAMBDA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$text REGEXP 'a+b'",
                "$text MATCH '(a|aa)+b'",
                "Re2::Grep('(x+x+)+y|a{20}b')($text)",
                "Re2::Match('.*b')($text)",
                "Re2::Count('a')($text)",
                "Re2::Capture('(a+)b')($text)",
                "Re2::FindAndConsume('a')($text)",
                "Re2::Replace('a')($text, 'b')",
                "Pire::MultiGrep('b\nc')($text)",
                "Pire::Capture('(a+)b')($text)",
                "Pire::Replace('(a+)b')($text, 'c')",
                "Hyperscan::Capture('a+b')($text)",
                "$text LIKE '%aaaaaaaaaaaaaaaaaaab%'",
                "$text ILIKE '%aaaaaaaaaaaaaaaaaaab%'",
                "$text GLOB '*aaaaaaaaaaaaaaaaaaab*'",
                "String::LevensteinDistance($text, 'aaaaaaaaaaa')",
                "FIND($text, $part)",
                "RFIND($text, $part)",
                "String::Contains($text, $part)",
                "String::AsciiContainsIgnoreCase($text, $part)",
                "String::Find($text, $part)",
                "String::ReverseFind($text, $part)",
                "String::ReplaceAll($text, $part, 'c')",
                "String::ReplaceAll($text, 'a', 'c')",
                "String::ReplaceFirst($text, $part, 'c')",
                "String::ReplaceLast($text, $part, 'c')",
                "String::RemoveAll($text, $part)",
                "String::SplitToList($text, $part)",
                "Unicode::Find($utf, CAST($part AS Utf8))",
                "Unicode::RFind($utf, CAST($part AS Utf8))",
                "Unicode::IsUnicodeSet($utf, '[a-b]')",
            })
    void onTexts(String call) {
        assertLooks(call, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JSON_EXISTS($json, 'strict $[*] ? (@ == $[*] + 1)')",
                "JSON_EXISTS($json, '$ ? ($[*] == 2)[*] ? (@ == $[*])')",
                "JSON_VALUE($json, '$[*] ? (exists($[*] ? (@ > 1)))')",
                "JSON_QUERY($json, '$[*] ? ($[0 to 2999] > 1)')",
                "JSON_EXISTS($jsonLong, '$.b')",
                "CAST($jsonSource AS Json)",
                "CAST($jsonSource AS JsonDocument)",
                "CAST($jsonLong AS JsonDocument)",
                "JSON_EXISTS($jsonText, '$ ? (@ like_regex \"a+b\")')",
            })
    void onJson(String call) {
        assertLooks(call, 1);
    }

    private void assertLooks(String call, int before) {
        List<String> lines = new ArrayList<>();
        LARGE.forEach(
                (name, value) -> {
                    if (call.matches("(?s).*\\" + name + "\\b.*")) {
                        lines.add("param %s = %s".formatted(name, value));
                    }
                });
        lines.add("SELECT " + call);
        QueryBench.Input input = bench.input(lines);
        int[] looks = {0};
        Runnable check =
                () -> {
                    if (++looks[0] > before + 10) {
                        throw new StatusException(Status.CANCELLED, "enough");
                    }
                };
        var program = bench.compile(input.text(), input.types());
        String end = "it ran through, and looked %d times";
        try {
            bench.run(
                    program, bench.database.begin(), input.values(), new QueryBench.Sink(), check);
            end = end.formatted(looks[0]);
        } catch (StatusException ended) {
            end = String.valueOf(ended.getMessage());
        }
        assertThat(end).contains("enough");
    }
}

package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void aDocumentPrintsWithoutSpacesInItsOwnOrder() {
        String text =
                " { \"b\" : [ 1 , -2.50 , 1e3 , true , false , null ] , \"a\" : { } , \"\" : [ ] }"
                        + " ";
        assertThat(Json.parse(text).map(Json::print))
                .contains("{\"b\":[1,-2.5,1000,true,false,null],\"a\":{},\"\":[]}");
    }

    @Test
    void escapesAreReadAndWritten() {
        assertThat(Json.parse("\"\\u0041\\n\\\\\\/\\\"\\u0001\\ud83d\\ude00\""))
                .contains(new Json.Text("A\n\\/\"\u0001\uD83D\uDE00"));
        assertThat(new Json.Text("a\"\\\t\u0001é").print()).isEqualTo("\"a\\\"\\\\\\t\\u0001é\"");
    }

    @Test
    void namesSortByTheirBytesAndTheLastOfANameWins() {
        assertThat(Json.normalize("{\"b\":1,\"a\":{\"d\":1,\"c\":2},\"B\":3,\"b\":4}"))
                .contains("{\"B\":3,\"a\":{\"c\":2,\"d\":1},\"b\":4}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[1,]",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "01",
                "1.",
                ".5",
                "+1",
                "-",
                "1e",
                "nul",
                "NaN",
                "Infinity",
                "\"",
                "\"\n\"",
                "\"\\x\"",
                "\"\\u12g4\"",
                "1 2",
                "[1 2]",
                "{\"a\" 1}",
                "// c\n1",
                "\"\\ud800\"",
                "1e999"
            })
    void whatIsNotJsonIsRefused(String text) {
        assertThat(Json.isValid(text)).isFalse();
    }

    @Test
    void depthIsLimited() {
        assertThat(Json.isValid("[".repeat(Json.MAX_DEPTH) + "]".repeat(Json.MAX_DEPTH))).isTrue();
        assertThat(Json.isValid("[".repeat(100_000) + "]".repeat(100_000))).isFalse();
    }
}

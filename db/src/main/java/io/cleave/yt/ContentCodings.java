package io.cleave.yt;

import io.cleave.http.Request;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

final class ContentCodings {
    enum Coding {
        IDENTITY;

        OutputStream pack(OutputStream target) {
            return target;
        }

        /// The value of Content-Encoding; empty for none.
        Optional<String> header() {
            return Optional.empty();
        }
    }

    private ContentCodings() {}

    static boolean isIdentity(Request request) {
        List<String> names = request.headers("Content-Encoding");
        return names.isEmpty() || (names.size() == 1 && names.getFirst().equals("identity"));
    }

    static InputStream unpacked(Request request) {
        return request.bodyStream();
    }

    static Coding accepted(Request request) {
        return Coding.IDENTITY;
    }
}

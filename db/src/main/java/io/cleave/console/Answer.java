package io.cleave.console;

/// What a request is answered with.
record Answer(int code, String contentType, String body) {
    private static final String PLAIN_TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    static Answer text(int code, String body) {
        return new Answer(code, PLAIN_TEXT, body);
    }

    static Answer json(int code, String body) {
        return new Answer(code, JSON, body);
    }
}

package io.cleave.query;

/// The program that opened a session, as far as it has told. An empty string means unknown.
public record SessionClient(String processId, String userAgent, String sdk, String application) {
    public static final SessionClient UNKNOWN = new SessionClient("", "", "", "");
}

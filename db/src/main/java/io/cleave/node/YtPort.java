package io.cleave.node;

/// The port for clients of YTsaurus.
public sealed interface YtPort {
    int DEFAULT_NUMBER = 8766;

    /// There is none.
    YtPort OFF = new Off();

    /// The usual port. If it is taken, the server starts without it and says so.
    YtPort DEFAULT = new Usual();

    record Off() implements YtPort {}

    record Usual() implements YtPort {}

    /// A port that was chosen; 0 picks a free one. If it is taken, the server does not start.
    record Chosen(int number) implements YtPort {}
}

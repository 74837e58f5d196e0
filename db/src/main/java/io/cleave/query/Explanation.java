package io.cleave.query;

/// What a compiled text would do: for programs as JSON, for people as a tree.
public record Explanation(String json, String tree) {}

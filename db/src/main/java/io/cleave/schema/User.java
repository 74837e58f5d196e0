package io.cleave.schema;

/// A user. `password` is a salted hash, empty if there is none; `enabled` says whether the user may
/// log in.
public record User(String name, String password, boolean enabled, long createdMicros) {}

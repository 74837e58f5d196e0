package io.cleave.schema;

/// Someone who may log in. `password` is a salted hash, empty when there is none.
public record User(String name, String password, boolean enabled, long createdMicros) {}

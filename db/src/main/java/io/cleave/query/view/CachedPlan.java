package io.cleave.query.view;

import io.cleave.base.Issue;

import java.util.List;

/// A program of the plan cache as its system view shows it.
///
/// @param number its number among the compilations of its node
/// @param text only the beginning of a long text; then it is truncated
/// @param micros how long it took to compile
public record CachedPlan(
        long number,
        String text,
        boolean isTruncated,
        long atMicros,
        long micros,
        List<Issue> warnings) {}

package io.cleave.lsm;

/// How often a filter was asked, and how often the key it let through was there or was not.
public record FilterStatistics(long checks, long truePositives, long falsePositives) {}

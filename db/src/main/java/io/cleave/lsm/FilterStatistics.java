package io.cleave.lsm;

/// How often filters were asked, and how often a key that passed was in the table or was not.
public record FilterStatistics(long checks, long truePositives, long falsePositives) {}

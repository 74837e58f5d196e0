package io.cleave.balance;

import io.cleave.base.Bytes;

/// A bundle of cells, with what YTsaurus' clients have set on it.
///
/// @param attributes a map in binary YSON; empty if nothing was set
public record BundleState(String name, Bytes attributes) {}

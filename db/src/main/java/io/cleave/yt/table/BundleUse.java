package io.cleave.yt.table;

import io.cleave.yt.command.CommandCall;

/// Checks the permission `use` of bundles.
///
/// Threads: any.
public interface BundleUse {
    /// Throws a `YtException` if there is no such bundle, or if the caller may not use it.
    void check(CommandCall call, String bundle);
}

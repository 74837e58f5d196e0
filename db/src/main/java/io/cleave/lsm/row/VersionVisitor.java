package io.cleave.lsm.row;

import io.cleave.base.Bytes;

/// Receives one version of a row.
@FunctionalInterface
public interface VersionVisitor {
    void visit(Bytes key, long timestamp, Bytes change);
}

/// The command line: starts a node, talks to running nodes, checks data folders, and runs a
/// development cluster.
///
/// What always holds:
///
/// - `sql` uses the public gRPC protocol, and the commands for operators use the HTTP port. Neither
///   opens a data folder.
/// - The exit code is 0 after success, 1 after a failure and 2 for wrong arguments.
/// - `start` with correct arguments does not load picocli, because that would take as long as
///   loading the whole database (`StartArguments`).
///
/// Begin with [io.cleave.cli.Main], which lists the commands. `Operator` is the common part of the
/// commands for operators, and `Server` runs a node until it is stopped.
@NullMarked
package io.cleave.cli;

import org.jspecify.annotations.NullMarked;

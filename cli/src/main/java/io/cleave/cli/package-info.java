/// The command line: starts a node, talks to running nodes, checks data folders, and runs a
/// development cluster. `sql` uses the public gRPC protocol; the commands for operators use the
/// HTTP port.
///
/// Begin with [io.cleave.cli.Main], which lists the commands. `StartArguments` and `Server` start a
/// node without loading picocli.
@NullMarked
package io.cleave.cli;

import org.jspecify.annotations.NullMarked;

/// The command line: starts a node, and talks to one through the public protocol.
@NullMarked
package io.cleave.cli;

import org.jspecify.annotations.NullMarked;

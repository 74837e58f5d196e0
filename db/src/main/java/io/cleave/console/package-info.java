/// The HTTP port: health, metrics, and what an operator may ask for, on the transport of
/// [io.cleave.http]. Whoever asks gets JSON, or text if that is what he accepts.
///
/// Begin with [Console]; [OperatorPages] has the requests, and [Operations] is what a node does
/// about them.
@NullMarked
package io.cleave.console;

import org.jspecify.annotations.NullMarked;

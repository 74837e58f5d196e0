/// The HTTP port: health, metrics, and the requests of operators, on the transport of
/// [io.cleave.http]. The answer is JSON, or plain text if the client asks for that.
///
/// Begin with [Console]. [OperatorPages] has the requests and their parameters. [Operations] is the
/// interface through which a node carries them out.
@NullMarked
package io.cleave.console;

import org.jspecify.annotations.NullMarked;

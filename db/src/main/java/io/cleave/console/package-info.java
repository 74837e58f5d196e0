/// The HTTP port: health, metrics, and the requests of operators, on the transport of
/// [io.cleave.http]. The answer is JSON, or plain text if the client asks for that.
///
/// What always holds:
///
/// - Health and metrics are exempt from the limits of the transport, so that they always answer.
/// - A page is made anew for every request.
/// - This package knows no database. A node carries out the requests through [Operations], and
///   gives each caller the operations that this caller may request ([OperatorAccess]).
///
/// Begin with [Console]. [OperatorPages] has the requests and their parameters.
@NullMarked
package io.cleave.console;

import org.jspecify.annotations.NullMarked;

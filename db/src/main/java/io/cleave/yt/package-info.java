/// The HTTP proxy of YTsaurus' API. It finds the command of a request, reads parameters and input
/// in the client's format, runs the command, and writes the answer or the error.
///
/// What always holds:
/// - An error of a command is never an HTTP status of 500 or more, because clients take these for a
///   server that is away, and try again for minutes.
/// - Requests, inputs that are unpacked, and answers take their memory from the server's pools.
/// - A change with a mutation id that was carried out is not carried out again by its repetition.
///
/// Begin with [YtProxy], then [CommandHandler], which answers one request.
@NullMarked
package io.cleave.yt;

import org.jspecify.annotations.NullMarked;

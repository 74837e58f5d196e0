/// What requests and replies are made of: YDB's types and values as protobuf messages, parameters,
/// result sets, and the lists of fields that requests may set.
///
/// `ProtoTypes` and `ProtoValues` convert types and values in both directions. [ValueWriter] and
/// [EncodedSets] write result sets as bytes, without building messages; [MessageSets] builds
/// messages. [RequestFields] refuses fields that have no effect here.
///
/// What always holds: a value that a client sent is checked against its type before anything below
/// sees it. A message that cannot be read is refused with BAD_REQUEST, and never fails otherwise.
///
/// Begin with [ProtoValues] and [RequestParts].
@NullMarked
package io.cleave.wire.value;

import org.jspecify.annotations.NullMarked;

package io.cleave.txn;

import io.cleave.codec.RowCodec;
import io.cleave.schema.Table;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The codecs of the tables that transactions use. Threads: any.
final class RowCodecs {
    /// By table id, the codec of the newest table version that was used.
    private final Map<Long, RowCodec> codecs = new ConcurrentHashMap<>();

    RowCodec codec(Table table) {
        RowCodec codec = codecs.get(table.id());
        if (codec == null || !codec.isFor(table)) {
            codec = new RowCodec(table);
            codecs.put(table.id(), codec);
        }
        return codec;
    }

    /// A version of the table that was used; null if none was.
    @Nullable Table table(long tableId) {
        RowCodec codec = codecs.get(tableId);
        return codec == null ? null : codec.table();
    }
}

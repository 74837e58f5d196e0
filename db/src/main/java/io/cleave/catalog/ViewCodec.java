package io.cleave.catalog;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Check;
import io.cleave.schema.View;

/// A view as bytes, in the column `view` of the system table `paths`.
final class ViewCodec {
    /// Stored on disk.
    private static final byte FORM = 1;

    private ViewCodec() {}

    static byte[] encode(View view) {
        var out = new ByteWriter(128);
        out.putByte(FORM);
        out.putVarLong(view.id());
        out.putText(view.text());
        out.putText(view.pathPrefix());
        out.putLong(view.createdMicros());
        return out.toArray();
    }

    static View decode(String path, byte[] data, int from, int to) {
        var in = new ByteReader(data, from, to);
        byte form = in.getByte();
        Check.that(form == FORM, "a view of form %d, which is newer", form);
        return new View(in.getVarLong(), path, in.getText(), in.getText(), in.getLong());
    }
}

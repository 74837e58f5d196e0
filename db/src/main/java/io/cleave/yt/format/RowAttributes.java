package io.cleave.yt.format;

import io.cleave.base.ByteWriter;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

/// Writes the attributes of a row in YSON: `<a=1;>`, followed by a space in the pretty form.
final class RowAttributes {
    private RowAttributes() {}

    static void write(YsonNode.Members attributes, YsonWriter.Format form, ByteWriter target) {
        int from = target.length();
        YsonWriter.write(attributes, form, YsonWriter.Dialect.YT, 0, target);
        // The attributes are written as a map. Then the brackets are replaced.
        target.array()[from] = '<';
        target.array()[target.length() - 1] = '>';
        if (form == YsonWriter.Format.PRETTY) {
            target.putByte(' ');
        }
    }
}

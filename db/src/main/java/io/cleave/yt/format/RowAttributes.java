package io.cleave.yt.format;

import io.cleave.base.ByteWriter;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

/// Writes the attributes of a row in YSON: `<a=1;>`, with a space behind it in the pretty form.
final class RowAttributes {
    private RowAttributes() {}

    static void write(YsonNode.Members attributes, YsonWriter.Format form, ByteWriter target) {
        int from = target.length();
        YsonWriter.write(attributes, form, YsonWriter.Dialect.YT, 0, target);
        // Attributes are a map in other brackets.
        target.array()[from] = '<';
        target.array()[target.length() - 1] = '>';
        if (form == YsonWriter.Format.PRETTY) {
            target.putByte(' ');
        }
    }
}

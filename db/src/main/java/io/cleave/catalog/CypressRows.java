package io.cleave.catalog;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Check;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import org.jspecify.annotations.Nullable;

/// The rows of the table `cypress`. A row has one column, whose first byte is the number of its
/// form.
///
/// ```
/// cypress  key path   form, id i64 i64, type varint, value bytes, attributes bytes, owner text,
///                     created i64, modified i64, content revision i64, attribute revision i64
/// ```
final class CypressRows {
    /// Stored on disk.
    private static final byte FORM = 1;

    private static final int COLUMN = 1;

    private CypressRows() {}

    static KeyedChange put(CypressNode node) {
        var out = new ByteWriter(128);
        out.putByte(FORM);
        out.putLong(node.id().high());
        out.putLong(node.id().low());
        out.putVarInt(node.type().code());
        out.putBytes(node.value());
        out.putBytes(node.attributes());
        out.putText(node.owner());
        out.putLong(node.createdMicros());
        out.putLong(node.modifiedMicros());
        out.putLong(node.contentRevision());
        out.putLong(node.attributeRevision());
        return new KeyedChange(
                SystemTables.textKey(node.path()),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {COLUMN},
                        new byte[] @Nullable [] {out.toArray()}));
    }

    static KeyedChange remove(String path) {
        return new KeyedChange(SystemTables.textKey(path), RowChange.ERASE);
    }

    static CypressNode read(Row row) {
        int index = row.fieldIndex(COLUMN);
        Check.that(index >= 0, "a row of the table cypress without its column");
        var in = new ByteReader(row.data(index), row.from(index), row.to(index));
        byte form = in.getByte();
        Check.that(form == FORM, "a row of the table cypress has the unknown form %d", form);
        var id = new ObjectId(in.getLong(), in.getLong());
        int code = in.getVarInt();
        Check.that(ObjectType.find(code).isPresent(), "a node of the unknown type %d", code);
        return new CypressNode(
                SystemTables.readText(row),
                id,
                ObjectType.find(code).orElseThrow(),
                in.getBytes(),
                in.getBytes(),
                in.getText(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong());
    }
}

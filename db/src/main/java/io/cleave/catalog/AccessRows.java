package io.cleave.catalog;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.catalog.CatalogChange.AccessRow;
import io.cleave.catalog.CatalogChange.PutAcl;
import io.cleave.catalog.CatalogChange.PutGroup;
import io.cleave.catalog.CatalogChange.PutUser;
import io.cleave.catalog.CatalogChange.RemoveGroup;
import io.cleave.catalog.CatalogChange.RemoveUser;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.schema.Acl;
import io.cleave.schema.Group;
import io.cleave.schema.User;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import org.jspecify.annotations.Nullable;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The rows of users, groups and permissions. Each row has one column, whose first byte is the
/// number of its form.
///
/// ```
/// users   key name    form, password text, enabled u8, created i64
/// groups  key name    form, count, members: texts
/// acls    key path    form, owner text, inherits u8, count, each: subject text, count, names: texts
/// ```
final class AccessRows {
    /// Stored on disk.
    private static final byte FORM = 1;

    private static final int COLUMN = 1;

    private AccessRows() {}

    /// The system table that contains the row.
    static long table(AccessRow row) {
        return switch (row) {
            case PutUser _, RemoveUser _ -> SystemTables.USERS;
            case PutGroup _, RemoveGroup _ -> SystemTables.GROUPS;
            case PutAcl _ -> SystemTables.ACLS;
        };
    }

    static KeyedChange change(AccessRow row) {
        var out = new ByteWriter(128);
        out.putByte(FORM);
        return switch (row) {
            case PutUser(User user) -> {
                out.putText(user.password());
                out.putByte(user.enabled() ? 1 : 0);
                out.putLong(user.createdMicros());
                yield put(user.name(), out);
            }
            case PutGroup(Group group) -> {
                putTexts(out, group.members());
                yield put(group.name(), out);
            }
            case PutAcl(String path, Acl acl) ->
                    acl.equals(Acl.NONE) ? erase(path) : put(path, acl);
            case RemoveUser(String name) -> erase(name);
            case RemoveGroup(String name) -> erase(name);
        };
    }

    private static KeyedChange put(String path, Acl acl) {
        var out = new ByteWriter(128);
        out.putByte(FORM);
        out.putText(acl.owner());
        out.putByte(acl.inherits() ? 1 : 0);
        out.putVarLong(acl.permissions().size());
        acl.permissions()
                .forEach(
                        (subject, names) -> {
                            out.putText(subject);
                            putTexts(out, names);
                        });
        return put(path, out);
    }

    static KeyedChange erase(String key) {
        return new KeyedChange(SystemTables.textKey(key), RowChange.ERASE);
    }

    private static KeyedChange put(String key, ByteWriter value) {
        return new KeyedChange(
                SystemTables.textKey(key),
                RowChange.encode(
                        RowChange.Kind.REPLACE,
                        new int[] {COLUMN},
                        new byte[] @Nullable [] {value.toArray()}));
    }

    static AccessRow readUser(Row row) {
        ByteReader in = open(row);
        return new PutUser(
                new User(
                        SystemTables.readText(row), in.getText(), in.getByte() != 0, in.getLong()));
    }

    static AccessRow readGroup(Row row) {
        return new PutGroup(new Group(SystemTables.readText(row), texts(open(row))));
    }

    static AccessRow readAcl(Row row) {
        ByteReader in = open(row);
        String owner = in.getText();
        boolean inherits = in.getByte() != 0;
        SortedMap<String, SortedSet<String>> permissions = new TreeMap<>();
        for (long left = in.getVarLong(); left > 0; left--) {
            permissions.put(in.getText(), texts(in));
        }
        return new PutAcl(SystemTables.readText(row), new Acl(owner, inherits, permissions));
    }

    private static ByteReader open(Row row) {
        int index = row.fieldIndex(COLUMN);
        Check.that(index >= 0, "a system row without column %d", COLUMN);
        Bytes cell = Bytes.copyOf(row.data(index), row.from(index), row.to(index));
        var in = new ByteReader(cell.array(), 0, cell.length());
        byte form = in.getByte();
        Check.that(form == FORM, "a row of form %d, which is newer", form);
        return in;
    }

    private static void putTexts(ByteWriter out, SortedSet<String> texts) {
        out.putVarLong(texts.size());
        texts.forEach(out::putText);
    }

    private static SortedSet<String> texts(ByteReader in) {
        SortedSet<String> texts = new TreeSet<>();
        for (long left = in.getVarLong(); left > 0; left--) {
            texts.add(in.getText());
        }
        return texts;
    }
}

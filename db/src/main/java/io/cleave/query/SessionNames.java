package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.tree.Scheme;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Changes of the schema tree by one session. A path of one of the session's temporary tables means
/// that table.
public final class SessionNames {
    private final Env env;
    private final Scheme scheme;
    private final Sessions sessions;
    private final Session session;
    private final TemporaryTables temporaries;

    SessionNames(Env env, Scheme scheme, Sessions sessions, Session session) {
        this.env = env;
        this.scheme = scheme;
        this.sessions = sessions;
        this.session = session;
        temporaries = session.temporaries();
    }

    /// The temporary table with this path.
    public Optional<Table> temporary(String path) {
        return temporaries.holds(path)
                ? scheme.find(temporaries.resolve(scheme, path))
                : Optional.empty();
    }

    /// False if the session already has a temporary table with this path and `ifNotExists` is set.
    public boolean createTemporary(TableDefinition definition, boolean ifNotExists) {
        return createTemporary(
                definition.path(), ifNotExists, () -> scheme.createHidden(definition));
    }

    boolean createTemporary(String path, boolean ifNotExists, Supplier<Table> maker) {
        if (!sessions.holds(session)) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    Issue.error("Temporary tables need a session: '" + path + "'"));
        }
        if (!temporaries.mayCreate(path, ifNotExists)) {
            return false;
        }
        Table table = maker.get();
        if (!temporaries.add(path, table)) {
            scheme.dropTable(table.path(), true);
            throw Sessions.notFound(session.id());
        }
        if (temporaries.beginsToAwaitClose()) {
            session.onClose(() -> env.spawn("temporary tables", this::dropAll));
        }
        return true;
    }

    private void dropAll() {
        for (String place : temporaries.close()) {
            try {
                scheme.dropTable(place, true);
            } catch (StatusException _) {
                // The catalog cannot be changed any more; the next start removes the table.
            }
        }
    }

    public void alterTable(String path, List<TableChange> changes) {
        for (TableChange change : changes) {
            if (change instanceof TableChange.Rename(String to)
                    && (temporaries.holds(path) || temporaries.holds(to))) {
                throw new StatusException(
                        Status.UNSUPPORTED, "RENAME of a temporary table is not supported");
            }
        }
        scheme.alterTable(temporaries.resolve(scheme, path), changes);
    }

    public void dropTable(String path, boolean ifExists) {
        scheme.dropTable(temporaries.resolve(scheme, path), ifExists);
        if (temporaries.holds(path)) {
            temporaries.remove(path);
        }
    }

    /// False if there was nothing to change and the change allows that.
    boolean change(SchemeChange change) {
        if (change instanceof SchemeChange.AlterSequence alter) {
            return scheme.change(
                    new SchemeChange.AlterSequence(
                            temporaries.resolve(scheme, alter.path()),
                            alter.ifExists(),
                            alter.start(),
                            alter.increment(),
                            alter.restart()));
        }
        if (change instanceof SchemeChange.TruncateTable(String path)) {
            // This is the stored path at compile time. The same text may have created a temporary
            // table with this path since.
            return scheme.change(
                    new SchemeChange.TruncateTable(
                            TemporaryTables.resolved(temporaries.places(), path)));
        }
        return scheme.change(change);
    }
}

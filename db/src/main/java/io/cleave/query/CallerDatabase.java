package io.cleave.query;

import io.cleave.access.Caller;
import io.cleave.index.IndexBuilds;
import io.cleave.tree.Scheme;

import java.util.Optional;

/// The database as one caller may see and change it: the tree, the rows and the sessions. Each call
/// of a front end gets one from [Database#as]; the comment of the package names the exceptions.
/// Later operations take a session from here, which knows its caller.
///
/// Rights are not enforced yet: every caller sees and changes everything. This class is the place
/// for [io.cleave.access.AccessCheck].
///
/// Threads: any.
public final class CallerDatabase {
    private final Database database;
    private final Caller caller;

    CallerDatabase(Database database, Caller caller) {
        this.database = database;
        this.caller = caller;
    }

    /// The tree of the schema, including system views.
    public Scheme tree() {
        return database.scheme();
    }

    /// Access to rows by key and by range, without a query text.
    public TableRows rows() {
        return database.rows();
    }

    /// Access to rows by encoded keys.
    public KeyedRows keyedRows() {
        return database.keyedRows();
    }

    /// The index builds, if this database can build indexes.
    public Optional<IndexBuilds> indexBuilds() {
        return database.background().indexBuilds();
    }

    /// Opens a session for a program that is not known.
    public Session openSession() {
        return openSession(SessionClient.UNKNOWN);
    }

    public Session openSession(SessionClient client) {
        return database.sessions().open(caller, client);
    }

    /// An open session; throws BAD_SESSION if there is none with this id.
    public Session session(String id) {
        return database.sessions().find(id);
    }

    public void closeSession(String id) {
        database.sessions().close(id);
    }

    /// A session for one request that names none. It is not among the open sessions, and nothing
    /// stays open after it.
    public Session newSession() {
        return database.newSession(caller);
    }
}

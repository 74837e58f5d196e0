package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;
import static io.cleave.query.view.ViewColumn.unmeasured;

import io.cleave.schema.Access;
import io.cleave.schema.User;
import io.cleave.tree.Scheme;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Supplier;

/// The system views of users, groups and permissions. Their rows are made from the catalog when
/// they are read.
final class AuthView {
    private record Member(String group, String member) {}

    private record Permission(String path, String subject, String name) {}

    private record Owner(String path, String subject) {}

    private AuthView() {}

    /// All views, sorted by name. Their ids are -3 to -8.
    static List<SystemView> all(Scheme scheme) {
        return List.of(
                permissions(scheme, -3, "auth_effective_permissions", () -> effective(scheme)),
                view(
                        scheme,
                        -4,
                        "auth_group_members",
                        2,
                        List.of(text("GroupSid", Member::group), text("MemberSid", Member::member)),
                        () -> members(scheme.access())),
                view(
                        scheme,
                        -5,
                        "auth_groups",
                        1,
                        List.of(text("Sid", group -> group)),
                        () -> List.copyOf(scheme.access().groups().keySet())),
                view(
                        scheme,
                        -6,
                        "auth_owners",
                        1,
                        List.of(text("Path", Owner::path), text("Sid", Owner::subject)),
                        () -> owners(scheme)),
                permissions(scheme, -7, "auth_permissions", () -> granted(scheme.access())),
                view(
                        scheme,
                        -8,
                        "auth_users",
                        1,
                        List.of(
                                text("Sid", User::name),
                                new ViewColumn<>(
                                        "IsEnabled",
                                        Primitive.BOOL,
                                        user -> Value.bool(user.enabled())),
                                new ViewColumn<>(
                                        "IsLockedOut", Primitive.BOOL, _ -> Value.bool(false)),
                                time("CreatedAt", User::createdMicros),
                                unmeasured("LastSuccessfulAttemptAt", Primitive.TIMESTAMP),
                                unmeasured("LastFailedAttemptAt", Primitive.TIMESTAMP),
                                new ViewColumn<>(
                                        "FailedAttemptCount", Primitive.UINT32, _ -> Value.of(0L)),
                                new ViewColumn<>(
                                        "PasswordHash",
                                        Primitive.UTF8,
                                        user ->
                                                user.password().isEmpty()
                                                        ? Value.Null.NULL
                                                        : Value.text(user.password()))),
                        () -> List.copyOf(scheme.access().users().values())));
    }

    private static SystemView permissions(
            Scheme scheme, long id, String name, Supplier<List<Permission>> items) {
        return view(
                scheme,
                id,
                name,
                3,
                List.of(
                        text("Path", Permission::path),
                        text("Sid", Permission::subject),
                        text("Permission", Permission::name)),
                items);
    }

    private static <T> SystemView view(
            Scheme scheme,
            long id,
            String name,
            int keyCount,
            List<ViewColumn<T>> columns,
            Supplier<List<T>> items) {
        String path = scheme.database() + "/" + SystemViews.DIRECTORY + "/" + name;
        return ListedView.of(id, path, columns, keyCount, items);
    }

    private static List<Member> members(Access access) {
        List<Member> members = new ArrayList<>();
        access.groups()
                .values()
                .forEach(
                        group ->
                                group.members()
                                        .forEach(
                                                member ->
                                                        members.add(
                                                                new Member(group.name(), member))));
        return members;
    }

    private static List<Permission> granted(Access access) {
        List<Permission> permissions = new ArrayList<>();
        access.acls().forEach((path, acl) -> add(path, acl.permissions(), permissions));
        return permissions;
    }

    private static List<Permission> effective(Scheme scheme) {
        Access access = scheme.access();
        List<Permission> permissions = new ArrayList<>();
        for (String path : paths(scheme)) {
            add(path, access.effective(path, scheme.database()), permissions);
        }
        return permissions;
    }

    private static void add(
            String path,
            SortedMap<String, SortedSet<String>> granted,
            List<Permission> permissions) {
        granted.forEach(
                (subject, names) ->
                        names.forEach(
                                name -> permissions.add(new Permission(path, subject, name))));
    }

    private static List<Owner> owners(Scheme scheme) {
        Access access = scheme.access();
        return paths(scheme).stream().map(path -> new Owner(path, access.owner(path))).toList();
    }

    private static List<String> paths(Scheme scheme) {
        List<String> paths = new ArrayList<>(List.of(scheme.database()));
        SystemView.entriesOf(scheme).forEach(entry -> paths.add(entry.path()));
        return paths;
    }
}

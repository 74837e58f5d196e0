package io.cleave.schema;

import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Optional;

/// A column of a table. `id` names it in stored rows and is never used again in its table, so a
/// dropped column's cells stay unread even when a new one takes its name.
///
/// `type` is the bare type; whether NULL may stand in the column is `notNull`. `missing` is what
/// the column has in rows that have no cell for it, which are older than itself; it stays when the
/// preset changes. Where it is there, a NULL is a cell too.
///
/// With `settingNotNull` the column is on its way to NOT NULL: nobody writes a NULL any more, and
/// those that are there are looked for.
public record Column(
        int id,
        String name,
        Type type,
        boolean notNull,
        String family,
        Optional<Preset> preset,
        Optional<Value> missing,
        boolean settingNotNull) {
    public static final String DEFAULT_FAMILY = "default";

    /// A column that is as old as its table.
    public Column(
            int id,
            String name,
            Type type,
            boolean notNull,
            String family,
            Optional<Preset> preset) {
        this(id, name, type, notNull, family, preset, Optional.empty(), false);
    }

    /// Whether a write of NULL is refused.
    public boolean refusesNull() {
        return notNull || settingNotNull;
    }

    /// What an expression that names the column has: Optional unless the column is NOT NULL.
    public Type valueType() {
        return notNull ? type : type.optional();
    }

    /// The column's sequence, if it has one.
    public Optional<Sequence> sequence() {
        return preset.isPresent() && preset.get() instanceof Preset.FromSequence(Sequence sequence)
                ? Optional.of(sequence)
                : Optional.empty();
    }

    /// The name of the column's sequence below its table.
    public String sequenceName() {
        return sequence()
                .map(sequence -> sequence.description().name())
                .filter(given -> !given.isEmpty())
                .orElse(Sequence.NAME_PREFIX + name);
    }

    public Column with(Sequence sequence) {
        return with(notNull, family, Optional.of(new Preset.FromSequence(sequence)));
    }

    /// What it is for rows that have no NULL in it.
    public Column asNotNull() {
        return with(true, family, preset);
    }

    Column with(boolean nowNotNull, String newFamily, Optional<Preset> newPreset) {
        return new Column(
                id, name, type, nowNotNull, newFamily, newPreset, missing, settingNotNull);
    }

    /// On the way to NOT NULL, or there, or back.
    Column with(boolean nowNotNull, boolean nowSettingNotNull) {
        return new Column(id, name, type, nowNotNull, family, preset, missing, nowSettingNotNull);
    }

    /// With this in rows that have no cell for it.
    Column withMissing(Optional<Value> value) {
        return new Column(id, name, type, notNull, family, preset, value, settingNotNull);
    }
}

package io.cleave.schema;

import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Optional;

/// A column of a table. `id` identifies it in stored rows and is never reused in its table, so the
/// fields of a dropped column are not read even if a new column has its name.
///
/// `type` is the type without Optional; `notNull` says whether the column is NOT NULL. `missing` is
/// the value of the column in rows without a field for it, which were written before the column was
/// added. It does not change when the preset changes. If `missing` is set, a NULL is stored as a
/// field.
///
/// If `settingNotNull` is set, the column is being changed to NOT NULL: writes of NULL are refused,
/// and existing rows are checked for NULL.
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

    /// A column that was created with its table.
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

    /// The type of an expression that names the column: Optional unless the column is NOT NULL.
    public Type valueType() {
        return notNull ? type : type.optional();
    }

    /// The column's sequence, if it has one.
    public Optional<Sequence> sequence() {
        return preset.isPresent() && preset.get() instanceof Preset.FromSequence(Sequence sequence)
                ? Optional.of(sequence)
                : Optional.empty();
    }

    /// The name of the column's sequence, relative to its table.
    public String sequenceName() {
        return sequence()
                .map(sequence -> sequence.description().name())
                .filter(given -> !given.isEmpty())
                .orElse(Sequence.NAME_PREFIX + name);
    }

    public Column with(Sequence sequence) {
        return with(notNull, family, Optional.of(new Preset.FromSequence(sequence)));
    }

    /// The column as NOT NULL.
    public Column asNotNull() {
        return with(true, family, preset);
    }

    Column with(boolean nowNotNull, String newFamily, Optional<Preset> newPreset) {
        return new Column(
                id, name, type, nowNotNull, newFamily, newPreset, missing, settingNotNull);
    }

    /// The column with other states of NOT NULL.
    Column with(boolean nowNotNull, boolean nowSettingNotNull) {
        return new Column(id, name, type, nowNotNull, family, preset, missing, nowSettingNotNull);
    }

    /// The column with this value for rows without a field for it.
    Column withMissing(Optional<Value> value) {
        return new Column(id, name, type, notNull, family, preset, value, settingNotNull);
    }
}

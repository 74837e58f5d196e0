package io.cleave.wire.scheme;

import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Preset;
import io.cleave.schema.Sequence;
import io.cleave.schema.TableChange.FamilySettings;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.TableOptions.Placement;
import io.cleave.schema.TableOptions.ReadReplicas;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;
import io.cleave.value.Type;
import io.cleave.wire.value.ProtoTypes;
import io.cleave.wire.value.RequestParts;

import tech.ydb.proto.common.CommonProtos.FeatureFlag;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.PartitioningSettings;
import tech.ydb.proto.table.YdbTable.ReadReplicasSettings;
import tech.ydb.proto.table.YdbTable.SequenceDescription;
import tech.ydb.proto.table.YdbTable.StoragePool;
import tech.ydb.proto.table.YdbTable.TtlSettings;

import java.util.Optional;

/// Reads the parts that CreateTable and AlterTable share.
final class TableParts {
    private TableParts() {}

    /// A type without Optional means NOT NULL, as in YDB.
    static NewColumn column(ColumnMeta sent) {
        Type type = ProtoTypes.fromProto(sent.getType());
        boolean notNull = !type.isOptional() || sent.getNotNull();
        String family = sent.getFamily().isEmpty() ? Column.DEFAULT_FAMILY : sent.getFamily();
        return new NewColumn(sent.getName(), type.unwrapped(), notNull, family, preset(sent, type));
    }

    static Optional<Preset> preset(ColumnMeta sent, Type type) {
        return switch (sent.getDefaultValueCase()) {
            case DEFAULTVALUE_NOT_SET -> Optional.empty();
            case FROM_SEQUENCE ->
                    Optional.of(
                            new Preset.FromSequence(
                                    sequence(sent.getFromSequence(), type.unwrapped())));
            case FROM_LITERAL -> {
                TypedValue literal =
                        RequestParts.typedValue(
                                sent.getFromLiteral(), "default of " + sent.getName());
                if (!literal.type().unwrapped().equals(type.unwrapped())) {
                    throw RequestParts.bad(
                            "Default value of column '%s': type mismatch, expected: %s, actual: %s"
                                    .formatted(
                                            sent.getName(),
                                            type.unwrapped().text(),
                                            literal.type().text()));
                }
                yield literal.value().isNull()
                        ? Optional.empty()
                        : Optional.of(new Preset.Literal(literal.value()));
            }
        };
    }

    /// Fields that were not sent have the defaults of a serial column.
    private static Sequence sequence(SequenceDescription sent, Type type) {
        Sequence serial = Sequence.serial(type);
        long max = sent.hasMaxValue() ? sent.getMaxValue() : serial.max();
        var sequence =
                new Sequence(
                        serial.id(),
                        sent.hasStartValue() ? sent.getStartValue() : serial.start(),
                        sent.hasIncrement() ? sent.getIncrement() : serial.increment(),
                        sent.hasMinValue() ? sent.getMinValue() : serial.min(),
                        Math.min(max, serial.max()),
                        new Sequence.Description(
                                sent.hasName() ? sent.getName() : "",
                                sent.hasCache() ? sent.getCache() : 1,
                                max,
                                sent.getCycle()));
        sequence.check(sequence.start(), "Start");
        return sequence;
    }

    /// Settings that were not sent stay as they are.
    static FamilySettings family(YdbTable.ColumnFamily sent) {
        Optional<String> compression =
                switch (sent.getCompression()) {
                    case COMPRESSION_LZ4 -> Optional.of(ColumnFamily.LZ4);
                    case COMPRESSION_NONE -> Optional.of(ColumnFamily.UNCOMPRESSED);
                    case COMPRESSION_UNSPECIFIED -> Optional.empty();
                    case UNRECOGNIZED -> throw unknownCompression(sent.getCompressionValue());
                };
        return new FamilySettings(
                sent.getName(),
                medium(sent.getData()),
                compression,
                cacheMode(sent.getKeepInMemory()));
    }

    static StatusException unknownCompression(int sent) {
        return RequestParts.bad("Unknown compression '%d' for a column family".formatted(sent));
    }

    static Optional<String> medium(StoragePool sent) {
        return sent.getMedia().isEmpty() ? Optional.empty() : Optional.of(sent.getMedia());
    }

    static Optional<String> cacheMode(FeatureFlag.Status keepInMemory) {
        return flag(keepInMemory, "keep in memory")
                .map(keep -> keep ? ColumnFamily.IN_MEMORY : ColumnFamily.REGULAR);
    }

    static Optional<Boolean> flag(FeatureFlag.Status sent, String what) {
        return switch (sent) {
            case STATUS_UNSPECIFIED -> Optional.empty();
            case ENABLED -> Optional.of(true);
            case DISABLED -> Optional.of(false);
            case UNRECOGNIZED -> throw RequestParts.bad("Unknown feature flag for " + what);
        };
    }

    /// 0 means that the field was not set.
    static Optional<Long> count(long sent, String what) {
        if (sent < 0) {
            throw RequestParts.bad(
                    "%s is too large: %s".formatted(what, Long.toUnsignedString(sent)));
        }
        return sent == 0 ? Optional.empty() : Optional.of(sent);
    }

    static void check(PartitioningSettings sent) {
        if (sent.getPartitioningBySize() == FeatureFlag.Status.DISABLED
                && sent.getPartitionSizeMb() != 0) {
            throw RequestParts.bad(
                    "Auto partitioning partition size is set while auto partitioning by size is"
                            + " disabled");
        }
        if (sent.getPartitionByCount() > 0) {
            throw RequestParts.unsupported("partition_by of a column-oriented table");
        }
    }

    static ReadReplicas replicas(ReadReplicasSettings sent) {
        return switch (sent.getSettingsCase()) {
            case PER_AZ_READ_REPLICAS_COUNT ->
                    new ReadReplicas(
                            Placement.PER_AZ, replicaCount(sent.getPerAzReadReplicasCount()));
            case ANY_AZ_READ_REPLICAS_COUNT ->
                    new ReadReplicas(
                            Placement.ANY_AZ, replicaCount(sent.getAnyAzReadReplicasCount()));
            case SETTINGS_NOT_SET -> throw RequestParts.bad("Unknown read_replicas_settings type");
        };
    }

    private static int replicaCount(long sent) {
        if (sent < 0 || sent > Integer.MAX_VALUE) {
            throw RequestParts.bad(
                    "Read replicas count is too large: " + Long.toUnsignedString(sent));
        }
        return (int) sent;
    }

    static Ttl ttl(TtlSettings sent) {
        long runInterval = Integer.toUnsignedLong(sent.getRunIntervalSeconds());
        return switch (sent.getModeCase()) {
            case DATE_TYPE_COLUMN ->
                    new Ttl(
                            sent.getDateTypeColumn().getColumnName(),
                            TtlUnit.DATE,
                            Integer.toUnsignedLong(
                                    sent.getDateTypeColumn().getExpireAfterSeconds()),
                            runInterval);
            case VALUE_SINCE_UNIX_EPOCH -> {
                var epoch = sent.getValueSinceUnixEpoch();
                TtlUnit unit =
                        switch (epoch.getColumnUnit()) {
                            case UNIT_SECONDS -> TtlUnit.SECONDS;
                            case UNIT_MILLISECONDS -> TtlUnit.MILLISECONDS;
                            case UNIT_MICROSECONDS -> TtlUnit.MICROSECONDS;
                            case UNIT_NANOSECONDS -> TtlUnit.NANOSECONDS;
                            case UNIT_UNSPECIFIED, UNRECOGNIZED ->
                                    throw RequestParts.bad("Unknown unit of TTL column");
                        };
                yield new Ttl(
                        epoch.getColumnName(),
                        unit,
                        Integer.toUnsignedLong(epoch.getExpireAfterSeconds()),
                        runInterval);
            }
            case MODE_NOT_SET -> throw RequestParts.bad("Invalid TTL settings");
        };
    }
}

package io.cleave.wire.value;

/// How each field of each request is treated, by the full name of its message in YDB's protocol.
///
/// A test walks the protocol's descriptors. It fails for a field that is in no list, and for a
/// field that is listed as honoured but never read.
final class RequestFieldLists {
    private RequestFieldLists() {}

    /// The code reads these fields. It does what they say, or refuses a value that it cannot
    /// honour.
    static final String HONOURED =
            """
            Ydb.Scheme.MakeDirectoryRequest
                path
            Ydb.Operations.OperationParams
                operation_timeout cancel_after
            Ydb.Scheme.RemoveDirectoryRequest
                path
            Ydb.Scheme.ListDirectoryRequest
                path
            Ydb.Scheme.DescribePathRequest
                path
            Ydb.Scheme.ModifyPermissionsRequest
                path actions clear_permissions interrupt_inheritance
            Ydb.Scheme.PermissionsAction
                grant revoke set change_owner
            Ydb.Scheme.Permissions
                subject permission_names
            Ydb.Table.DeleteSessionRequest
                session_id
            Ydb.Table.KeepAliveRequest
                session_id
            Ydb.Table.CreateTableRequest
                session_id path columns primary_key profile indexes ttl_settings storage_settings
                column_families attributes compaction_policy uniform_partitions partition_at_keys
                partitioning_settings key_bloom_filter read_replicas_settings temporary store_type
            Ydb.Table.ColumnMeta
                name type family not_null from_literal from_sequence
            Ydb.Type
                type_id decimal_type optional_type list_type tuple_type struct_type dict_type
                variant_type tagged_type void_type null_type empty_list_type empty_dict_type
            Ydb.DecimalType
                precision scale
            Ydb.OptionalType
                item
            Ydb.ListType
                item
            Ydb.TupleType
                elements
            Ydb.StructType
                members
            Ydb.StructMember
                name type
            Ydb.DictType
                key payload
            Ydb.VariantType
                tuple_items struct_items
            Ydb.TaggedType
                tag type
            Ydb.TypedValue
                type value
            Ydb.Value
                bool_value int32_value uint32_value int64_value uint64_value float_value
                double_value bytes_value text_value null_flag_value nested_value low_128 items pairs
                variant_index high_128
            Ydb.ValuePair
                key payload
            Ydb.Table.SequenceDescription
                name min_value max_value start_value cache increment cycle
            Ydb.Table.TableProfile
                preset_name storage_policy compaction_policy partitioning_policy execution_policy
                replication_policy caching_policy
            Ydb.Table.StoragePolicy
                preset_name syslog log data external keep_in_memory column_families
            Ydb.Table.StoragePool
                media
            Ydb.Table.ColumnFamilyPolicy
                name data external keep_in_memory compression
            Ydb.Table.CompactionPolicy
                preset_name
            Ydb.Table.PartitioningPolicy
                preset_name auto_partitioning uniform_partitions explicit_partitions
            Ydb.Table.ExplicitPartitions
                split_points
            Ydb.Table.ExecutionPolicy
                preset_name
            Ydb.Table.ReplicationPolicy
                preset_name replicas_count create_per_availability_zone allow_promotion
            Ydb.Table.CachingPolicy
                preset_name
            Ydb.Table.TableIndex
                name index_columns global_index global_async_index global_unique_index data_columns
            Ydb.Table.TtlSettings
                date_type_column value_since_unix_epoch run_interval_seconds
            Ydb.Table.DateTypeColumnModeSettings
                column_name expire_after_seconds
            Ydb.Table.ValueSinceUnixEpochModeSettings
                column_name column_unit expire_after_seconds
            Ydb.Table.StorageSettings
                tablet_commit_log0 tablet_commit_log1 external store_external_blobs
            Ydb.Table.ColumnFamily
                name data compression keep_in_memory
            Ydb.Table.PartitioningSettings
                partitioning_by_size partition_size_mb partitioning_by_load min_partitions_count
                max_partitions_count
            Ydb.Table.ReadReplicasSettings
                per_az_read_replicas_count any_az_read_replicas_count
            Ydb.Table.DropTableRequest
                session_id path
            Ydb.Table.AlterTableRequest
                session_id path add_columns drop_columns alter_columns set_ttl_settings
                drop_ttl_settings add_indexes drop_indexes alter_storage_settings
                add_column_families alter_column_families alter_attributes set_compaction_policy
                alter_partitioning_settings set_key_bloom_filter set_read_replicas_settings
                rename_indexes
            Ydb.Table.RenameIndexItem
                source_name destination_name replace_destination
            Ydb.Table.CopyTableRequest
                session_id source_path destination_path
            Ydb.Table.CopyTablesRequest
                session_id tables
            Ydb.Table.CopyTableItem
                source_path destination_path omit_indexes
            Ydb.Table.RenameTablesRequest
                session_id tables
            Ydb.Table.RenameTableItem
                source_path destination_path replace_destination
            Ydb.Table.DescribeTableRequest
                session_id path include_shard_key_bounds include_table_stats include_partition_stats
            Ydb.Table.ExplainDataQueryRequest
                session_id yql_text
            Ydb.Table.PrepareDataQueryRequest
                session_id yql_text
            Ydb.Table.ExecuteDataQueryRequest
                session_id tx_control query parameters query_cache_policy operation_params
                collect_stats
            Ydb.Table.TransactionControl
                tx_id begin_tx commit_tx
            Ydb.Table.TransactionSettings
                serializable_read_write online_read_only stale_read_only snapshot_read_only
                snapshot_read_write
            Ydb.Table.OnlineModeSettings
                allow_inconsistent_reads
            Ydb.Table.Query
                yql_text id
            Ydb.Table.QueryCachePolicy
                keep_in_cache
            Ydb.Table.ExecuteSchemeQueryRequest
                session_id yql_text operation_params
            Ydb.Table.BeginTransactionRequest
                session_id tx_settings
            Ydb.Table.CommitTransactionRequest
                session_id tx_id
            Ydb.Table.RollbackTransactionRequest
                session_id tx_id
            Ydb.Table.ReadTableRequest
                session_id path key_range columns row_limit batch_limit_bytes batch_limit_rows
                return_not_null_data_as_optional
            Ydb.Table.KeyRange
                greater greater_or_equal less less_or_equal
            Ydb.Table.ReadRowsRequest
                session_id path keys columns
            Ydb.Table.BulkUpsertRequest
                table rows
            Ydb.Table.ExecuteScanQueryRequest
                query parameters mode collect_stats
            Ydb.Query.DeleteSessionRequest
                session_id
            Ydb.Query.AttachSessionRequest
                session_id
            Ydb.Query.BeginTransactionRequest
                session_id tx_settings
            Ydb.Query.TransactionSettings
                serializable_read_write online_read_only stale_read_only snapshot_read_only
                snapshot_read_write
            Ydb.Query.OnlineModeSettings
                allow_inconsistent_reads
            Ydb.Query.CommitTransactionRequest
                session_id tx_id
            Ydb.Query.RollbackTransactionRequest
                session_id tx_id
            Ydb.Query.ExecuteQueryRequest
                session_id exec_mode tx_control query_content parameters stats_mode
                response_part_limit_bytes pool_id schema_inclusion_mode result_set_format
            Ydb.Query.TransactionControl
                tx_id begin_tx commit_tx
            Ydb.Query.QueryContent
                syntax text
            Ydb.Query.ExecuteScriptRequest
                exec_mode script_content parameters stats_mode results_ttl pool_id
            Ydb.Query.FetchScriptResultsRequest
                operation_id result_set_index fetch_token rows_limit
            Ydb.Operations.GetOperationRequest
                id
            Ydb.Operations.CancelOperationRequest
                id
            Ydb.Operations.ForgetOperationRequest
                id
            Ydb.Operations.ListOperationsRequest
                kind page_size page_token
            Ydb.Scripting.ExecuteYqlRequest
                operation_params script parameters collect_stats
            Ydb.Scripting.ExplainYqlRequest
                script mode
            Ydb.Auth.LoginRequest
                user password
            Ydb.Cms.GetDatabaseStatusRequest
                path
            Ydb.Discovery.ListEndpointsRequest
                database
            """;

    /// A request that sets one of these fields is refused.
    static final String REFUSED =
            """
            Ydb.Table.SequenceDescription
                set_val
            Ydb.Table.ExplainDataQueryRequest
                collect_full_diagnostics
            Ydb.Table.ExecuteScanQueryRequest
                collect_full_diagnostics
            Ydb.Table.BulkUpsertRequest
                arrow_batch_settings csv_settings data
            Ydb.Type
                pg_type
            Ydb.Table.AlterTableRequest
                add_changefeeds drop_changefeeds set_tiering drop_tiering
            Ydb.Table.CreateTableRequest
                tiering
            Ydb.Table.PartitioningSettings
                partition_by
            """;

    /// Clients set these fields, and they have no effect. The text below each one says why that is
    /// harmless.
    static final String WITHOUT_EFFECT =
            """
            *.operation_params
                the call is short, or is to be done whole; the client's own deadline ends its
                waiting
            Ydb.Operations.OperationParams.operation_mode
                an operation is answered when it is done, which ASYNC allows
            Ydb.Operations.OperationParams.labels
                nobody asks for the labels of an operation
            Ydb.Operations.OperationParams.report_cost_info
                requests have no price
            Ydb.Table.DescribeTableRequest.include_shard_nodes_info
                the statistics of a partition always have its node
            Ydb.Table.CommitTransactionRequest.collect_stats
                a commit runs no query that would have statistics
            Ydb.Table.ReadTableRequest.ordered
                rows always come in the order of their keys
            Ydb.Table.ReadTableRequest.use_snapshot
                all rows are always of one moment
            Ydb.Query.ExecuteQueryRequest.concurrent_result_sets
                results come one after the other, which who takes them in any order takes, too
            Ydb.Query.ExecuteQueryRequest.stats_period_ms
                statistics come with the last part
            Ydb.Query.ExecuteQueryRequest.arrow_format_settings
                it is of the format ARROW, which is refused
            Ydb.Monitoring.SelfCheckRequest.return_verbose_status
                a node that answers is well, and there is nothing to tell
            Ydb.Monitoring.SelfCheckRequest.minimum_status
                a node that answers is well, and there is nothing to leave out
            Ydb.Monitoring.SelfCheckRequest.maximum_level
                a node that answers is well, and there is nothing to leave out
            Ydb.Discovery.ListEndpointsRequest.service
                the one endpoint has all services
            Ydb.Discovery.WhoAmIRequest.include_groups
                the user that everyone is has no groups
            """;

    /// Requests of calls that are always refused.
    static final String REFUSED_CALLS =
            """
            Ydb.Cms.CreateDatabaseRequest
            Ydb.Cms.AlterDatabaseRequest
            Ydb.Cms.RemoveDatabaseRequest
            Ydb.Cms.DescribeDatabaseOptionsRequest
            """;
}

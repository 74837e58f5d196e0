/// The settings of YTsaurus' balancer: those of a bundle (`@tablet_balancer_config` of
/// `//sys/tablet_cell_bundles/B`) and those of a table (`@tablet_balancer_config` of the table).
///
/// A record is what the balancer uses: every option has a value or is known to be unset. What a
/// client has set stays a YSON map, with the options that nobody here knows. `BundleConfig` and
/// `TableConfig` check such a map, show it with defaults, and read it into a record.
/// `OldAttributes` are attributes of a table that were there before its config.
///
/// Begin with [io.cleave.balance.yt.settings.BundleSettings] and
/// [io.cleave.balance.yt.settings.TableSettings]. [io.cleave.balance.yt.settings.GroupChoice] finds
/// the group of a bundle in which a table is balanced.
@NullMarked
package io.cleave.balance.yt.settings;

import org.jspecify.annotations.NullMarked;

/// The settings of YTsaurus' balancer: those of a bundle (`@tablet_balancer_config` of
/// `//sys/tablet_cell_bundles/B`) and those of a table (`@tablet_balancer_config` of the table).
///
/// A record is what the balancer uses: every option has a value or is known to be unset. What a
/// client has set stays a YSON map, with the options that nobody here knows.
///
/// Begin with [io.cleave.balance.yt.settings.BundleSettings] and
/// [io.cleave.balance.yt.settings.TableSettings].
@NullMarked
package io.cleave.balance.yt.settings;

import org.jspecify.annotations.NullMarked;

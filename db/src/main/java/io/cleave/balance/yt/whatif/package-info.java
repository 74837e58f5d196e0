/// What YTsaurus' rules would do with a bundle if it had other settings, other cells, or at another
/// time.
///
/// The policy is asked about a copy of the cluster. What it answers is carried out on the copy, and
/// the policy is asked again, until it changes nothing more. All is pure: nothing here measures or
/// changes anything.
///
/// Begin with [io.cleave.balance.yt.whatif.WhatIf], the question, and
/// [io.cleave.balance.yt.whatif.Forecast], the answer.
@NullMarked
package io.cleave.balance.yt.whatif;

import org.jspecify.annotations.NullMarked;

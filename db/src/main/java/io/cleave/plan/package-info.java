/// A typed tree becomes a plan: key ranges, operators. Pure, never sees storage.
@NullMarked
package io.cleave.plan;

import org.jspecify.annotations.NullMarked;

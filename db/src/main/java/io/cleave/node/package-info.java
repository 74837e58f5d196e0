/// Starts a node: makes every part, by hand, and stops them in order.
@NullMarked
package io.cleave.node;

import org.jspecify.annotations.NullMarked;

/// The one place where a plan meets a transaction: operators that pull rows.
@NullMarked
package io.cleave.exec;

import org.jspecify.annotations.NullMarked;

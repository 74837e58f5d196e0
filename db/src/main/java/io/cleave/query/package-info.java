/// The front door: text and parameters in, result sets out. Sessions, transactions, plan cache.
@NullMarked
package io.cleave.query;

import org.jspecify.annotations.NullMarked;

/// Which tablet holds which key and where it lives; carries out creation and removal of tablets.
@NullMarked
package io.cleave.cluster;

import org.jspecify.annotations.NullMarked;

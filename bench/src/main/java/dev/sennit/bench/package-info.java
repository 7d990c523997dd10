/**
 * What Sennit costs, measured beside its peers in the same run, and the long forms of proofs whose
 * short forms are tests. It may use every module. Nothing of it is ever shipped, and no other
 * module uses it.
 */
@NullMarked
package dev.sennit.bench;

import org.jspecify.annotations.NullMarked;

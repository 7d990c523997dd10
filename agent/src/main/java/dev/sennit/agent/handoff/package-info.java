/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Lets contexts go with the work of an application that has no SDK: from the request that the
 * kernel saw a thread read, to whichever thread goes on with it. It changes classes of the JDK and
 * of a few frameworks, as little as it can, and puts into the record of a thread what a task
 * brought along, for as long as the task runs. It must never throw into the application, keep a
 * task or a class loader alive, or say more than it knows.
 */
@NullMarked
package dev.sennit.agent.handoff;

import org.jspecify.annotations.NullMarked;

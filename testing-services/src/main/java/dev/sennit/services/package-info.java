/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Small applications of the frameworks that people use, for tests that observe them. None knows of
 * traces: for each request, whose path is a number, it asks another service twice, at once and
 * after a pause, with the number in the path, and writes a line in between. It says its port when
 * it serves. They may use what they like, for nothing depends on them but tests.
 */
@NullMarked
package dev.sennit.services;

import org.jspecify.annotations.NullMarked;

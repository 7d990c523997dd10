/**
 * Sending: settings, OTLP over HTTP and gRPC, the queue on disk for when the collector is away, and
 * the thread that empties it. It uses the JDK and Apache HttpCore, and it runs inside other
 * people's JVMs: it never touches {@code java.util.logging} or standard output, never leaves a
 * thread behind that keeps a JVM alive, and never throws at whoever hands it data.
 */
@NullMarked
package dev.sennit.otlp.export;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The same by the MBean of diagnostic commands, which every HotSpot JVM offers. */
final class ManagedThreadPrint implements ThreadPrint {
  @Override
  public String dump() throws JMException {
    return answer("threadPrint");
  }

  @Override
  public String flags() throws JMException {
    return answer("vmFlags");
  }

  private static String answer(String command) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    return (String)
        server.invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            command,
            new Object[] {new String[0]},
            new String[] {String[].class.getName()});
  }
}

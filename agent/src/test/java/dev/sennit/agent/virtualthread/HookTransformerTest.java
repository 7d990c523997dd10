/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HookTransformerTest {
  private static byte[] classFile(String name) throws IOException {
    try (InputStream in = Object.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  private static List<Instruction> instructions(byte[] content, String method) {
    CodeModel code =
        ClassFile.of().parse(content).methods().stream()
            .filter(candidate -> candidate.methodName().equalsString(method))
            .findFirst()
            .flatMap(MethodModel::code)
            .orElseThrow();
    return code.elementStream()
        .filter(Instruction.class::isInstance)
        .map(Instruction.class::cast)
        .toList();
  }

  private static boolean isHook(Instruction instruction, String name) {
    return instruction instanceof InvokeInstruction call
        && call.owner().asSymbol().equals(HookClass.NAME)
        && call.name().equalsString(name);
  }

  @Test
  void theHookOfMountIsTheFirstThingItCalls() throws IOException {
    byte[] original = classFile("/java/lang/VirtualThread.class");
    List<Instruction> before = instructions(original, "mount");
    List<Instruction> after = instructions(HookTransformer.withHooks(original), "mount");
    assertThat(after).hasSize(before.size() + 2);
    assertThat(isHook(after.get(1), "mount")).isTrue();
  }

  @Test
  void theHookOfUnmountStandsBeforeEveryReturn() throws IOException {
    byte[] original = classFile("/java/lang/VirtualThread.class");
    List<Instruction> before = instructions(original, "unmount");
    List<Instruction> after = instructions(HookTransformer.withHooks(original), "unmount");
    List<Integer> returns = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      if (after.get(i) instanceof ReturnInstruction) {
        returns.add(i);
      }
    }
    assertThat(returns).isNotEmpty().allMatch(i -> isHook(after.get(i - 1), "unmount"));
    assertThat(after).hasSize(before.size() + returns.size());
  }

  @Test
  void nothingElseIsChanged() throws IOException {
    byte[] original = classFile("/java/lang/VirtualThread.class");
    ClassModel changed = ClassFile.of().parse(HookTransformer.withHooks(original));
    assertThat(methods(changed)).isEqualTo(methods(ClassFile.of().parse(original)));
    Stream<MethodModel> hooked =
        changed.methods().stream()
            .filter(
                method ->
                    method.code().stream()
                        .flatMap(CodeModel::elementStream)
                        .anyMatch(
                            element ->
                                element instanceof InvokeInstruction call
                                    && call.owner().asSymbol().equals(HookClass.NAME)));
    assertThat(hooked.map(method -> method.methodName().stringValue()))
        .containsExactlyInAnyOrder("mount", "unmount");
  }

  private static List<String> methods(ClassModel model) {
    return model.methods().stream()
        .map(method -> method.methodName().stringValue() + method.methodType().stringValue())
        .toList();
  }

  @Test
  void aClassThatIsOtherwiseIsLeftAlone() throws IOException {
    byte[] other = classFile("/java/lang/Thread.class");
    assertThatThrownBy(() -> HookTransformer.withHooks(other))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("it has no method mount()");
    HookTransformer transformer = new HookTransformer(Thread.class);
    assertThat(transformer.transform(null, "java/lang/Thread", Thread.class, null, other)).isNull();
    assertThatThrownBy(transformer::requireSuccess)
        .hasMessage("java.lang.Thread is left as it is: it has no method mount()");
  }
}

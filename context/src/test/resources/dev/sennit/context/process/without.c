/*
 * Runs a program on a kernel that lacks something, by a seccomp filter: without FEATURE COMMAND...
 *   memfd             memfd_create does not exist
 *   noexec            memfd_create does not know MFD_NOEXEC_SEAL
 *   dontfork          madvise does not know MADV_DONTFORK
 *   process_vm_readv  process_vm_readv does not exist
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct feature {
    const char *name;
    int call;
    int argument; /* the one to look at */
    unsigned int mask; /* these bits of it */
    unsigned int value; /* with this value get the error */
    int error;
} features[] = {
    {"memfd", __NR_memfd_create, 1, 0, 0, ENOSYS},
    {"noexec", __NR_memfd_create, 1, 0x8, 0x8, EINVAL},
    {"dontfork", __NR_madvise, 2, 0xffffffff, MADV_DONTFORK, EINVAL},
    {"process_vm_readv", __NR_process_vm_readv, 0, 0, 0, ENOSYS},
};

static int install(const struct feature *feature) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, feature->call, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]) + 8 * feature->argument),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, feature->mask),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, feature->value, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | feature->error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
    for (size_t i = 0; argc > 2 && i < sizeof features / sizeof *features; i++) {
        if (strcmp(argv[1], features[i].name) == 0) {
            if (install(&features[i]) != 0) {
                perror("seccomp");
                return 1;
            }
            execvp(argv[2], argv + 2);
            perror(argv[2]);
            return 1;
        }
    }
    fprintf(stderr, "usage: without FEATURE COMMAND...\n");
    return 2;
}

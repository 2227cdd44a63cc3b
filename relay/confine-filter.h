/* The seccomp filter of a confined program. A refused system call returns EPERM or ENOSYS. */

#include <linux/netlink.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#else
#error "no confinement for this processor"
#endif

#define NUMBER offsetof(struct seccomp_data, nr)
#define ARCHITECTURE offsetof(struct seccomp_data, arch)
/* The low half of an argument: little-endian on both processors. */
#define ARGUMENT(n) (offsetof(struct seccomp_data, args) + (n) * sizeof(uint64_t))

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define IS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define HAS(bits, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no)
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, what)
#define ALLOW ANSWER(SECCOMP_RET_ALLOW)
#define DENY ANSWER(SECCOMP_RET_ERRNO | EPERM)
#define ABSENT ANSWER(SECCOMP_RET_ERRNO | ENOSYS)

/* System calls that older headers do not have; their numbers are the same on all processors. */
#define NR_io_uring_setup 425
#define NR_open_tree 428
#define NR_move_mount 429
#define NR_fsopen 430
#define NR_fsconfig 431
#define NR_fsmount 432
#define NR_fspick 433
#define NR_clone3 435
#define NR_pidfd_getfd 438
#define NR_mount_setattr 442
#define NR_open_tree_attr 467

#define NEW_NAMESPACES (CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | 0x02000000 /* cgroup */ | 0x00000080 /* time */)

/* Each is refused whatever its arguments. */
static const unsigned REFUSED[] = {
  /* other processes */
  SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, NR_pidfd_getfd, SYS_kcmp, SYS_perf_event_open,
  /* file systems and namespaces */
  SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_open_by_handle_at, NR_open_tree,
  NR_open_tree_attr, NR_move_mount, NR_fsopen, NR_fsconfig, NR_fsmount, NR_fspick, NR_mount_setattr, SYS_swapon,
  SYS_swapoff, SYS_quotactl,
  /* the machine */
  SYS_reboot, SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_acct, SYS_settimeofday,
  SYS_clock_settime, SYS_sethostname, SYS_setdomainname, SYS_syslog,
#ifdef SYS_iopl
  SYS_iopl, SYS_ioperm,
#endif
  /* keys, and kernel machinery that a hook has no use for */
  SYS_add_key, SYS_request_key, SYS_keyctl, SYS_bpf, SYS_userfaultfd,
};

/* io_uring would make requests that bypass this filter; flags of clone3 are in memory, which a filter cannot read. Programs fall back when these are missing. */
static const unsigned MISSING[] = {NR_io_uring_setup, NR_clone3};

#define TIOC_LINUX 0x541C
#define MAX_INSTRUCTIONS 160

struct filter {
  struct sock_filter code[MAX_INSTRUCTIONS];
  unsigned short length;
};

static void add(struct filter *filter, const struct sock_filter *code, size_t count) {
  if (filter->length + count > MAX_INSTRUCTIONS) abort();
  memcpy(filter->code + filter->length, code, count * sizeof *code);
  filter->length = (unsigned short)(filter->length + count);
}

#define ADD(filter, ...) \
  do { \
    const struct sock_filter part[] = {__VA_ARGS__}; \
    add(filter, part, sizeof part / sizeof *part); \
  } while (0)

/* Each part below starts with the system call number loaded and returns or leaves it loaded for the next part. */

/* Allows only socketpair; with the network also IP sockets and netlink, by which programs list addresses. */
static void add_sockets(struct filter *filter, int network) {
  if (network)
    ADD(filter, IS(SYS_socket, 0, 8), LOAD(ARGUMENT(0)), IS(AF_INET, 5, 0), IS(AF_INET6, 4, 0), IS(AF_NETLINK, 0, 2),
      LOAD(ARGUMENT(2)), IS(NETLINK_ROUTE, 1, 0), DENY, ALLOW);
  else ADD(filter, IS(SYS_socket, 0, 1), DENY);
  /* A socket of a datagram pair could be connected to another address; one of a stream pair cannot. */
  ADD(filter, IS(SYS_socketpair, 0, 7), LOAD(ARGUMENT(0)), IS(AF_UNIX, 0, 4), LOAD(ARGUMENT(1)),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf), IS(SOCK_STREAM, 0, 1), ALLOW, DENY);
}

static int install_filter(int network, int sockets, int stays_in_group) {
  struct filter filter = {.length = 0};
  ADD(&filter, LOAD(ARCHITECTURE), IS(NATIVE, 1, 0), ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(NUMBER));
#ifdef __x86_64__
  /* Refuses the x32 ABI, which has other numbers on the same processor. */
  ADD(&filter, BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), ABSENT);
#endif
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) ADD(&filter, IS(REFUSED[i], 0, 1), DENY);
  for (size_t i = 0; i < sizeof MISSING / sizeof *MISSING; i++) ADD(&filter, IS(MISSING[i], 0, 1), ABSENT);
  if (stays_in_group) ADD(&filter, IS(SYS_setsid, 1, 0), IS(SYS_setpgid, 0, 1), DENY);
  if (sockets) ADD(&filter, IS(SYS_socket, 0, 3), LOAD(ARGUMENT(0)), IS(AF_UNIX, 0, 1), ALLOW, LOAD(NUMBER));
  add_sockets(&filter, network);
  ADD(&filter, IS(SYS_clone, 0, 4), LOAD(ARGUMENT(0)), HAS(NEW_NAMESPACES, 0, 1), DENY, ALLOW);
  /* TIOCSTI and TIOCLINUX would type on the caller's terminal. */
  ADD(&filter, IS(SYS_ioctl, 0, 5), LOAD(ARGUMENT(1)), IS(TIOCSTI, 1, 0), IS(TIOC_LINUX, 0, 1), DENY, ALLOW);
  /* prlimit only for the process itself. */
  ADD(&filter, IS(SYS_prlimit64, 0, 4), LOAD(ARGUMENT(0)), IS(0, 1, 0), DENY, ALLOW);
  ADD(&filter, ALLOW);
  struct sock_fprog program = {filter.length, filter.code};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

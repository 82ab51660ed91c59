/*
 * Loads a BPF program, and has it run an exact number of times: what cpumeter's BPF figures are measured
 * against.
 *
 *     bpfload test|packets|syscalls RUNS STEPS
 *
 * The program is called bench_filter and counts to STEPS. It runs through BPF_PROG_TEST_RUN (test), for each
 * datagram on a socket pair (packets), or for each system call of the machine, RUNS of which bpfload makes
 * itself (syscalls; it then holds the program by a link only). Prints the program's id, waits for a line on
 * stdin, runs it, prints the wall time and its own CPU time of that in ns, and waits for another line.
 */
#include <bpf/bpf.h>
#include <err.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) < 0)
        err(EXIT_FAILURE, "cannot read clock %d", (int)clock);
    return (int64_t)now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

enum how { TEST, PACKETS, SYSCALLS, HOWS };

static const char *const how_names[HOWS] = {"test", "packets", "syscalls"};

static int load(enum how how, int steps)
{
    /* r0 = 0; do r0 += 1 while (r0 < steps); return r0, bytes of the packet to keep */
    const struct bpf_insn instructions[] = {
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
        {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_0, .imm = 1},
        {.code = BPF_JMP | BPF_JLT | BPF_K, .dst_reg = BPF_REG_0, .off = -2, .imm = steps},
        {.code = BPF_JMP | BPF_EXIT},
    };
    int type = how == SYSCALLS ? BPF_PROG_TYPE_RAW_TRACEPOINT : BPF_PROG_TYPE_SOCKET_FILTER;
    int program = bpf_prog_load(type, "bench_filter", "GPL", instructions,
                                sizeof(instructions) / sizeof(*instructions), NULL);

    if (program < 0)
        err(EXIT_FAILURE, "cannot load a BPF program of %d steps", steps);
    return program;
}

static unsigned id_of(int program)
{
    struct bpf_prog_info info = {0};
    unsigned length = sizeof(info);

    if (bpf_obj_get_info_by_fd(program, &info, &length) < 0)
        err(EXIT_FAILURE, "cannot ask about the BPF program");
    return info.id;
}

static void run_test(int program, int runs)
{
    char packet[64] = {0};
    LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = packet, .data_size_in = sizeof(packet),
                .repeat = runs);

    if (bpf_prog_test_run_opts(program, &options) < 0)
        err(EXIT_FAILURE, "cannot run the BPF program");
}

static void run_packets(const int sockets[2], int runs)
{
    char byte = 0;

    for (int i = 0; i < runs; i++) {
        if (send(sockets[0], &byte, 1, 0) != 1)
            err(EXIT_FAILURE, "cannot send datagram %d", i);
        if (recv(sockets[1], &byte, 1, 0) < 0)
            err(EXIT_FAILURE, "cannot receive datagram %d", i);
    }
}

static void run_syscalls(int runs)
{
    for (int i = 0; i < runs; i++)
        syscall(SYS_getppid);
}

static void attach_to_socket(int socket, int program)
{
    if (setsockopt(socket, SOL_SOCKET, SO_ATTACH_BPF, &program, sizeof(program)) < 0)
        err(EXIT_FAILURE, "cannot attach the BPF program to a socket");
}

static void attach_to_syscalls(int program)
{
    if (bpf_raw_tracepoint_open("sys_enter", program) < 0)
        err(EXIT_FAILURE, "cannot attach the BPF program to system calls");
    close(program);
}

static enum how parse_how(const char *text)
{
    for (int how = 0; how < HOWS; how++)
        if (strcmp(text, how_names[how]) == 0)
            return (enum how)how;
    errx(2, "'%s': expected test, packets or syscalls", text);
}

static void wait_for_line(void)
{
    int c;

    do
        c = getchar();
    while (c != '\n' && c != EOF);
}

int main(int argc, char **argv)
{
    int runs = argc == 4 ? atoi(argv[2]) : 0;
    int steps = argc == 4 ? atoi(argv[3]) : 0;
    int sockets[2];
    int64_t start_ns;
    int64_t cpu_ns;
    enum how how;
    int program;

    if (runs < 1 || steps < 1)
        errx(2, "expected test|packets|syscalls RUNS STEPS");
    how = parse_how(argv[1]);
    program = load(how, steps);
    printf("%u\n", id_of(program));
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, sockets) < 0)
        err(EXIT_FAILURE, "cannot make a socket pair");
    if (how == PACKETS)
        attach_to_socket(sockets[1], program);
    if (how == SYSCALLS)
        attach_to_syscalls(program);
    fflush(stdout);
    wait_for_line();

    cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    start_ns = clock_ns(CLOCK_MONOTONIC);
    if (how == TEST)
        run_test(program, runs);
    else if (how == PACKETS)
        run_packets(sockets, runs);
    else
        run_syscalls(runs);
    cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
    printf("%jd %jd\n", (intmax_t)(clock_ns(CLOCK_MONOTONIC) - start_ns), (intmax_t)cpu_ns);
    fflush(stdout);
    wait_for_line();
    return EXIT_SUCCESS;
}

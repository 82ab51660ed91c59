/*
 * Loads a BPF program, and has it run an exact number of times: what cpumeter's BPF figures are measured
 * against.
 *
 *     bpfload test|packets RUNS STEPS
 *
 * The program is a socket filter called bench_filter that counts to STEPS. It runs through BPF_PROG_TEST_RUN
 * (test), or for each datagram on a socket pair (packets). Prints the program's id, waits for a line on
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
#include <time.h>
#include <unistd.h>

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) < 0)
        err(EXIT_FAILURE, "cannot read clock %d", (int)clock);
    return (int64_t)now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int load(int steps)
{
    /* r0 = 0; do r0 += 1 while (r0 < steps); return r0, bytes of the packet to keep */
    const struct bpf_insn instructions[] = {
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
        {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_0, .imm = 1},
        {.code = BPF_JMP | BPF_JLT | BPF_K, .dst_reg = BPF_REG_0, .off = -2, .imm = steps},
        {.code = BPF_JMP | BPF_EXIT},
    };
    int program = bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "bench_filter", "GPL", instructions,
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
    int sockets[2] = {-1, -1};
    int64_t start_ns;
    int64_t cpu_ns;
    int program;

    if (runs < 1 || steps < 1 || (strcmp(argv[1], "test") != 0 && strcmp(argv[1], "packets") != 0))
        errx(2, "expected test|packets RUNS STEPS");
    program = load(steps);
    if (strcmp(argv[1], "packets") == 0) {
        if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, sockets) < 0)
            err(EXIT_FAILURE, "cannot make a socket pair");
        if (setsockopt(sockets[1], SOL_SOCKET, SO_ATTACH_BPF, &program, sizeof(program)) < 0)
            err(EXIT_FAILURE, "cannot attach the BPF program to a socket");
    }
    printf("%u\n", id_of(program));
    fflush(stdout);
    wait_for_line();

    cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    start_ns = clock_ns(CLOCK_MONOTONIC);
    if (sockets[0] < 0)
        run_test(program, runs);
    else
        run_packets(sockets, runs);
    cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
    printf("%jd %jd\n", (intmax_t)(clock_ns(CLOCK_MONOTONIC) - start_ns), (intmax_t)cpu_ns);
    fflush(stdout);
    wait_for_line();
    return EXIT_SUCCESS;
}

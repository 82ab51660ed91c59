/*
 * A monitor that does nothing with what it sees, and can be switched off and on: the kernel's count of run
 * time is measured against that.
 *
 *     bpfmonitor STEPS    one program on exec that counts to STEPS
 *
 * SIGUSR1 switches it off, SIGUSR2 on; it answers with a line, off or on, as floor-bpf does.
 */
#include <err.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>

#define TRACEPOINT "sched_process_exec"

/* The verifier walks through each step, and gives up after a million instructions. */
#define MOST_STEPS 400000

#define NOT_ATTACHED (-1)

static int load(int steps)
{
    /* r0 = 0; do r0 += 1 while (r0 < steps); return r0 */
    const struct bpf_insn counts[] = {
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
        {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_0, .imm = 1},
        {.code = BPF_JMP | BPF_JLT | BPF_K, .dst_reg = BPF_REG_0, .off = -2, .imm = steps},
        {.code = BPF_JMP | BPF_EXIT},
    };
    const int program = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "bpfmonitor", "GPL", counts,
                                      sizeof(counts) / sizeof(*counts), NULL);

    if (program < 0)
        err(EXIT_FAILURE, "cannot load a BPF program");
    return program;
}

static int attach(int program)
{
    const int link = bpf_raw_tracepoint_open(TRACEPOINT, program);

    if (link < 0)
        err(EXIT_FAILURE, "cannot attach to %s", TRACEPOINT);
    return link;
}

static void tell(const char *state)
{
    puts(state);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const int steps = argc == 2 ? atoi(argv[1]) : 0;
    sigset_t signals;
    int program, link, signal;

    if (steps < 1 || steps > MOST_STEPS)
        errx(2, "expected STEPS, 1 to %d", MOST_STEPS);
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGUSR2);
    if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0)
        err(EXIT_FAILURE, "cannot block signals");
    program = load(steps);
    link = attach(program);
    tell("ready");
    while (sigwait(&signals, &signal) == 0 && signal != SIGTERM) {
        const bool on = signal == SIGUSR2;

        if (on && link == NOT_ATTACHED) {
            link = attach(program);
        } else if (!on && link != NOT_ATTACHED) {
            close(link);
            link = NOT_ATTACHED;
        }
        tell(on ? "on" : "off");
    }
    return EXIT_SUCCESS;
}

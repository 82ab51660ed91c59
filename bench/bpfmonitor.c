/*
 * A monitor that does nothing with what it sees, and can be switched off and on: what is counted and
 * calibrated of BPF programs is measured against that.
 *
 *     bpfmonitor          empty programs on both ends of all system calls
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

#define MOST_PROGRAMS 2

/* The verifier walks through each step, and gives up after a million instructions. */
#define MOST_STEPS 400000

#define NOT_ATTACHED (-1)

struct program {
    const char *tracepoint;
    int program;
    int link;
};

static int load(int steps)
{
    /* r0 = 0; do r0 += 1 while (r0 < steps); return r0 */
    const struct bpf_insn counts[] = {
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
        {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_0, .imm = 1},
        {.code = BPF_JMP | BPF_JLT | BPF_K, .dst_reg = BPF_REG_0, .off = -2, .imm = steps},
        {.code = BPF_JMP | BPF_EXIT},
    };
    const struct bpf_insn empty[] = {
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
        {.code = BPF_JMP | BPF_EXIT},
    };
    const size_t count = (steps ? sizeof(counts) : sizeof(empty)) / sizeof(*counts);
    const int program =
        bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "bpfmonitor", "GPL", steps ? counts : empty, count, NULL);

    if (program < 0)
        err(EXIT_FAILURE, "cannot load a BPF program");
    return program;
}

static void attach(struct program *program)
{
    if (program->link != NOT_ATTACHED)
        return;
    program->link = bpf_raw_tracepoint_open(program->tracepoint, program->program);
    if (program->link < 0)
        err(EXIT_FAILURE, "cannot attach to %s", program->tracepoint);
}

static void detach(struct program *program)
{
    if (program->link == NOT_ATTACHED)
        return;
    close(program->link);
    program->link = NOT_ATTACHED;
}

static void tell(const char *state)
{
    puts(state);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 0;
    struct program programs[MOST_PROGRAMS] = {{.tracepoint = "sys_enter"}, {.tracepoint = "sys_exit"}};
    int count = MOST_PROGRAMS;
    sigset_t signals;
    int signal;

    if (argc > 2 || (argc == 2 && (steps < 1 || steps > MOST_STEPS)))
        errx(2, "expected no argument or STEPS, 1 to %d", MOST_STEPS);
    if (steps) {
        programs[0].tracepoint = "sched_process_exec";
        count = 1;
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGUSR2);
    if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0)
        err(EXIT_FAILURE, "cannot block signals");
    for (int i = 0; i < count; i++) {
        programs[i].program = load(steps);
        programs[i].link = NOT_ATTACHED;
        attach(&programs[i]);
    }
    tell("ready");
    while (sigwait(&signals, &signal) == 0 && signal != SIGTERM) {
        const bool on = signal == SIGUSR2;

        for (int i = 0; i < count; i++)
            on ? attach(&programs[i]) : detach(&programs[i]);
        tell(on ? "on" : "off");
    }
    return EXIT_SUCCESS;
}

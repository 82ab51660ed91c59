/*
 * A monitor of system calls that does nothing with them: BPF programs on both ends of all of them, which can
 * be switched off and on. What is counted and calibrated of BPF programs is measured against that.
 *
 * SIGUSR1 switches it off, SIGUSR2 on; it answers with a line, off or on, as floor-bpf does.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "../src/bpfcost/attachment.h"

#define ENDS 2

static const char *const targets[ENDS] = {"sys_enter", "sys_exit"};

static void attach_all(struct attachment attachments[ENDS])
{
    for (int i = 0; i < ENDS; i++) {
        const char *problem = attachments[i].link ? NULL : attachment_attach(&attachments[i]);

        if (problem)
            errx(EXIT_FAILURE, "%s", problem);
    }
}

static void detach_all(struct attachment attachments[ENDS])
{
    for (int i = 0; i < ENDS; i++)
        if (attachments[i].link)
            attachment_detach(&attachments[i]);
}

static void tell(const char *state)
{
    puts(state);
    fflush(stdout);
}

int main(void)
{
    struct attachment attachments[ENDS];
    sigset_t signals;
    int signal;

    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGUSR2);
    if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0)
        err(EXIT_FAILURE, "cannot block signals");
    attachment_init();
    for (int i = 0; i < ENDS; i++) {
        const char *problem = attachment_load(&attachments[i], RAW_TRACEPOINT, targets[i], EMPTY);

        if (problem)
            errx(EXIT_FAILURE, "%s", problem);
    }
    attach_all(attachments);
    tell("ready");
    while (sigwait(&signals, &signal) == 0 && signal != SIGTERM) {
        if (signal == SIGUSR2) {
            attach_all(attachments);
            tell("on");
        } else {
            detach_all(attachments);
            tell("off");
        }
    }
    return EXIT_SUCCESS;
}

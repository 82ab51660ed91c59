#include "signals.h"

#include <stddef.h>

sigset_t signals_block(sigset_t *inherited)
{
    const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t all, wanted;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, inherited);
    sigemptyset(&wanted);
    for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++) {
        struct sigaction action;

        sigaction(ending[i], NULL, &action);
        if (action.sa_handler != SIG_IGN)
            sigaddset(&wanted, ending[i]);
    }
    return wanted;
}

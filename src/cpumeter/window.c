#include "window.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "../common/clock.h"

static void end_signals(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGHUP);
}

void window_open(struct window *window, const struct options *options)
{
    sigset_t signals;

    end_signals(&signals);
    if (sigprocmask(SIG_BLOCK, &signals, NULL) < 0)
        err(EXIT_FAILURE, "cannot block signals");
    window->start_ns = now_ns();
    window->interval_ns = options->interval_ns;
    if (options->once)
        window->end_ns = window->start_ns;
    else
        window->end_ns = options->duration_ns ? window->start_ns + options->duration_ns : INT64_MAX;
}

int64_t window_next_ns(const struct window *window, int64_t at_ns)
{
    int64_t next_ns;

    if (!window->interval_ns || at_ns >= window->end_ns)
        return window->end_ns;
    next_ns = window->start_ns + ((at_ns - window->start_ns) / window->interval_ns + 1) * window->interval_ns;
    return next_ns < window->end_ns ? next_ns : window->end_ns;
}

bool window_wait(const struct window *window)
{
    int64_t due_ns = window_next_ns(window, now_ns());
    sigset_t signals;

    end_signals(&signals);
    for (;;) {
        int64_t left_ns = due_ns - now_ns();
        struct timespec timeout;

        if (left_ns < 0)
            left_ns = 0;
        timeout = to_timespec(left_ns);
        if (sigtimedwait(&signals, NULL, &timeout) >= 0)
            return false;
        if (errno == EAGAIN && now_ns() >= due_ns)
            return due_ns != window->end_ns;
        if (errno != EAGAIN && errno != EINTR)
            err(EXIT_FAILURE, "cannot wait for the next reading");
    }
}

#include <errno.h>
#include <unistd.h>

#include "../action.h"

static int run(const struct action_request *request)
{
    execve(request->command, request->argv, request->environment);
    return errno;
}

const struct action action_exec = {
    .name = "exec",
    .summary = "execute --command",
    .executes = true,
    .run = run,
};

ACTION_REGISTER(action_exec);

/* What /bin/true does, and 2000 system calls: what BPF programs on these cost it is far above the noise. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS 2000

int main(void)
{
    for (int i = 0; i < CALLS; i++)
        syscall(SYS_getppid);
    return EXIT_SUCCESS;
}

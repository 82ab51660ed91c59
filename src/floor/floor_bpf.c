/* floor-bpf: the least that an eBPF monitor of executions can do, and so the least that one can cost. */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "../common/clock.h"
#include "append.h"
#include "exec_json.h"
#include "losses.h"
#include "options.h"
#include "stop.h"

const char *argp_program_version = USAGE_VERSION("floor-bpf");

/* exec_object.S */
extern const char exec_object[], exec_object_end[];

struct monitor {
    struct bpf_object *object;
    struct bpf_program *program;
    struct bpf_link *link;
    struct ring_buffer *ring;
    struct append log;
    int64_t real_offset_ns; /* CLOCK_REALTIME - CLOCK_MONOTONIC */
    uint64_t recorded;
    struct losses losses;
};

static void check_buffer(uint32_t bytes)
{
    if (bytes % (uint64_t)sysconf(_SC_PAGESIZE) != 0 || (bytes & (bytes - 1)) != 0)
        errx(EXIT_USAGE, "--buffer '%u': expected a power of two, not less than a page", bytes);
}

static int print_warnings(enum libbpf_print_level level, const char *format, va_list args)
{
    return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

/* Returns false with errno if the kernel does not take the program. */
static bool load(struct monitor *monitor, const char *program_name, uint32_t buffer_bytes)
{
    LIBBPF_OPTS(bpf_object_open_opts, open_options, .object_name = "floor");
    struct bpf_program *program;
    int error;

    monitor->object =
        bpf_object__open_mem(exec_object, (size_t)(exec_object_end - exec_object), &open_options);
    if (!monitor->object)
        err(EXIT_FAILURE, "cannot read the BPF program");
    bpf_object__for_each_program(program, monitor->object)
    {
        bool wanted = strcmp(bpf_program__name(program), program_name) == 0;

        bpf_program__set_autoload(program, wanted);
        if (wanted)
            monitor->program = program;
    }
    error = bpf_map__set_max_entries(bpf_object__find_map_by_name(monitor->object, "ring"), buffer_bytes);
    if (error)
        errx(EXIT_FAILURE, "cannot give the ring buffer %u bytes: %s", buffer_bytes, strerror(-error));
    error = bpf_object__load(monitor->object);
    if (error) {
        bpf_object__close(monitor->object);
        errno = -error;
    }
    return error == 0;
}

static int map_fd(const struct monitor *monitor, const char *name)
{
    return bpf_object__find_map_fd_by_name(monitor->object, name);
}

static int write_event(void *context, void *data, size_t size)
{
    struct monitor *monitor = context;
    char *line = append_room(&monitor->log, EXEC_JSON_BYTES_MAX);

    (void)size;
    append_filled(&monitor->log, exec_json(line, data, monitor->real_offset_ns));
    monitor->recorded++;
    return 0;
}

static void attach(struct monitor *monitor)
{
    monitor->link = bpf_program__attach(monitor->program);
    if (!monitor->link)
        err(EXIT_FAILURE, "cannot attach to the tracepoint sched_process_exec");
}

static void monitor_start(struct monitor *monitor, const struct options *options)
{
    libbpf_set_print(print_warnings);
    if (options->raw_tracepoint || !load(monitor, "exec_typed", options->buffer_bytes)) {
        if (!options->raw_tracepoint)
            warn("the program that uses BTF types was refused, trying the one that does not");
        if (!load(monitor, "exec_untyped", options->buffer_bytes))
            err(EXIT_FAILURE, "cannot load the BPF program");
    }
    monitor->ring = ring_buffer__new(map_fd(monitor, "ring"), write_event, monitor, NULL);
    if (!monitor->ring)
        err(EXIT_FAILURE, "cannot map the ring buffer");
    attach(monitor);
}

static uint64_t count_ring_buffer_full(const struct monitor *monitor)
{
    const int cpus = libbpf_num_possible_cpus();
    uint64_t counts[cpus > 0 ? cpus : 1], sum = 0;
    uint32_t zero = 0;

    if (cpus < 0)
        errx(EXIT_FAILURE, "cannot get the number of CPUs: %s", strerror(-cpus));
    if (bpf_map_lookup_elem(map_fd(monitor, "lost"), &zero, counts) != 0)
        err(EXIT_FAILURE, "cannot read the counter of lost events");
    for (int cpu = 0; cpu < cpus; cpu++)
        sum += counts[cpu];
    return sum;
}

static struct bpf_prog_info get_program_info(const struct monitor *monitor)
{
    struct bpf_prog_info info = {0};
    uint32_t size = sizeof(info);

    if (bpf_obj_get_info_by_fd(bpf_program__fd(monitor->program), &info, &size) != 0)
        err(EXIT_FAILURE, "cannot get the BPF program's counters");
    return info;
}

static void update_losses(struct monitor *monitor, const char *path)
{
    const uint64_t full = count_ring_buffer_full(monitor);
    /* Runs that the kernel left out, because the program was running on that CPU already. */
    const uint64_t missed = get_program_info(monitor).recursion_misses;

    if (full == monitor->losses.counts[0] && missed == monitor->losses.counts[1])
        return;
    monitor->losses.counts[0] = full;
    monitor->losses.counts[1] = missed;
    losses_write(&monitor->losses, path);
}

static void read_batch(struct monitor *monitor)
{
    int result;

    /* Each time, since the time of day may be stepped. */
    monitor->real_offset_ns = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
    result = ring_buffer__consume(monitor->ring);
    if (result < 0)
        errx(EXIT_FAILURE, "cannot read the ring buffer: %s", strerror(-result));
    append_flush(&monitor->log);
}

static void watch(int epoll_fd, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.fd = fd};

    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0)
        err(EXIT_FAILURE, "cannot wait for descriptor %d", fd);
}

/* Whoever asks waits for the answer on stdout. */
static int open_switch(void)
{
    sigset_t switching;
    int fd;

    sigemptyset(&switching);
    sigaddset(&switching, SIGUSR1);
    sigaddset(&switching, SIGUSR2);
    if (sigprocmask(SIG_BLOCK, &switching, NULL) != 0)
        err(EXIT_FAILURE, "cannot block signals");
    fd = signalfd(-1, &switching, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        err(EXIT_FAILURE, "cannot get signals through a file descriptor");
    return fd;
}

static void switch_as_asked(struct monitor *monitor, int switch_fd)
{
    struct signalfd_siginfo asked;

    while (read(switch_fd, &asked, sizeof(asked)) == sizeof(asked)) {
        bool on = asked.ssi_signo == SIGUSR2;

        if (on && !monitor->link) {
            attach(monitor);
        } else if (!on && monitor->link) {
            bpf_link__destroy(monitor->link);
            monitor->link = NULL;
        }
        puts(on ? "on" : "off");
        fflush(stdout);
    }
}

/* Sleeps until the next batch is due, the BPF program asks for one, or a signal came. True: the monitor is to
 * stop. */
static bool wait_for_batch(struct monitor *monitor, int epoll_fd, int stop_fd, int switch_fd, int delay_ms)
{
    struct epoll_event events[3];
    int count = epoll_wait(epoll_fd, events, 3, delay_ms);

    if (count < 0 && errno != EINTR)
        err(EXIT_FAILURE, "cannot wait for events");
    for (int i = 0; i < count; i++) {
        if (events[i].data.fd == switch_fd)
            switch_as_asked(monitor, switch_fd);
        if (events[i].data.fd == stop_fd)
            return true;
    }
    return false;
}

static void run(struct monitor *monitor, const struct options *options, int stop_fd, int switch_fd)
{
    int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    int64_t losses_due_ns = 0;
    bool stopped = false;

    if (epoll_fd < 0)
        err(EXIT_FAILURE, "cannot create an epoll descriptor");
    watch(epoll_fd, stop_fd, EPOLLIN);
    watch(epoll_fd, switch_fd, EPOLLIN);
    /* Edge-triggered: only the program's own wakeups count, not that there is something in the buffer. */
    watch(epoll_fd, map_fd(monitor, "ring"), EPOLLIN | EPOLLET);
    while (!stopped) {
        stopped = wait_for_batch(monitor, epoll_fd, stop_fd, switch_fd, options->delay_ms);
        read_batch(monitor);
        if (clock_ns(CLOCK_MONOTONIC_COARSE) >= losses_due_ns) {
            update_losses(monitor, options->losses_path);
            losses_due_ns = clock_ns(CLOCK_MONOTONIC_COARSE) + NS_PER_SEC;
        }
    }
    close(epoll_fd);
}

static void monitor_stop(struct monitor *monitor, const struct options *options)
{
    bpf_link__destroy(monitor->link);
    read_batch(monitor);
    update_losses(monitor, options->losses_path);
    append_close(&monitor->log);
}

static void print_totals(const struct monitor *monitor)
{
    const struct bpf_prog_info info = get_program_info(monitor);

    printf("recorded %" PRIu64 "\nwritten_bytes %" PRIu64 "\n", monitor->recorded,
           monitor->log.written_bytes);
    losses_print(&monitor->losses);
    /* The kernel counts these only while sysctl kernel.bpf_stats_enabled is 1. */
    if (info.run_cnt > 0)
        printf("bpf_runs %" PRIu64 "\nbpf_run_time_ns %" PRIu64 "\n", (uint64_t)info.run_cnt,
               (uint64_t)info.run_time_ns);
}

static void monitor_free(struct monitor *monitor)
{
    ring_buffer__free(monitor->ring);
    bpf_object__close(monitor->object);
}

int main(int argc, char **argv)
{
    const struct options_program program = {
        .doc = "Record every program execution, with its arguments, as a line of JSON: a BPF program on the "
               "tracepoint sched_process_exec and a ring buffer, and nothing else. SIGUSR1 switches it off, "
               "SIGUSR2 on; it answers with a line, off or on. See docs/floor.md.",
        .buffer_doc = "Size of the ring buffer, a power of two (default: 4194304)",
        .buffer_bytes_default = 4 * 1024 * 1024,
        .extra = {"raw-tracepoint", OPTION_RAW_TRACEPOINT, NULL, 0,
                  "Use a tracepoint without BTF types, as on kernels that have no others", 3},
    };
    struct monitor monitor = {.losses.names = {"ring_buffer_full", "missed_runs"}};
    struct options options;
    int stop_fd, switch_fd;

    options_parse(&options, &program, argc, argv);
    check_buffer(options.buffer_bytes);
    stop_fd = stop_open();
    switch_fd = open_switch();
    append_open(&monitor.log, options.output_path, EXEC_JSON_BYTES_MAX);
    losses_write(&monitor.losses, options.losses_path);
    monitor_start(&monitor, &options);
    printf("ready\n");
    fflush(stdout);

    run(&monitor, &options, stop_fd, switch_fd);
    monitor_stop(&monitor, &options);
    print_totals(&monitor);
    monitor_free(&monitor);
    return EXIT_SUCCESS;
}

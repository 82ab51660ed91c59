/* floor-audit: the least that a monitor behind the kernel's audit socket can do, and so the least that one
 * can cost. */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <libaudit.h>

#include "../common/clock.h"
#include "append.h"
#include "audit_events.h"
#include "losses.h"
#include "options.h"
#include "stop.h"

const char *argp_program_version = USAGE_VERSION("floor-audit");

/* An event whose last record has not come after this time is written without it. */
#define EVENT_NS_MAX (2 * NS_PER_SEC)

/* Records fetched by one system call. */
#define RECORDS_PER_CALL 32

/* When asked to stop: the socket is read until nothing came for this long, but not longer than that. */
#define STOP_QUIET_MS 100
#define STOP_NS_MAX (2 * NS_PER_SEC)

/* One byte more than is taken, so that a record that is too long is seen to be. */
struct message {
    struct nlmsghdr header;
    char text[AUDIT_RECORD_BYTES_MAX + 1];
};

struct receiver {
    struct message messages[RECORDS_PER_CALL];
    struct sockaddr_nl senders[RECORDS_PER_CALL];
    struct iovec parts[RECORDS_PER_CALL];
    struct mmsghdr headers[RECORDS_PER_CALL];
};

struct monitor {
    int fd;
    struct receiver *receiver;
    struct append log;
    struct audit_events events;
    uint64_t overruns;
    uint32_t kernel_lost_before;
    struct losses losses;
};

/* The kernel's counter of records that it had to drop. The answer comes through a socket of its own, since
 * between the records on the other one it would be hard to find. */
static uint32_t get_kernel_lost(void)
{
    struct audit_reply reply;
    int fd = audit_open(), result;

    if (fd < 0)
        err(EXIT_FAILURE, "cannot open an audit socket");
    if (audit_request_status(fd) <= 0)
        err(EXIT_FAILURE, "cannot ask for the audit status");
    do {
        result = audit_get_reply(fd, &reply, GET_REPLY_BLOCKING, 0);
    } while (result >= 0 && reply.type != AUDIT_GET);
    if (result < 0)
        errx(EXIT_FAILURE, "cannot get the audit status: %s", strerror(-result));
    audit_close(fd);
    return reply.status->lost;
}

static struct receiver *receiver_new(void)
{
    struct receiver *receiver = calloc(1, sizeof(*receiver));

    if (!receiver)
        err(EXIT_FAILURE, "no memory for audit records");
    for (int i = 0; i < RECORDS_PER_CALL; i++) {
        receiver->parts[i] = (struct iovec){&receiver->messages[i], sizeof(receiver->messages[i])};
        receiver->headers[i].msg_hdr = (struct msghdr){
            .msg_name = &receiver->senders[i],
            .msg_namelen = sizeof(receiver->senders[i]),
            .msg_iov = &receiver->parts[i],
            .msg_iovlen = 1,
        };
    }
    return receiver;
}

/* Whether the kernel does it is not waited for. */
static void give_audit_back(int fd)
{
    if (audit_set_pid(fd, 0, WAIT_NO) < 0)
        warn("cannot give the audit socket back");
}

/* However the program ends: else the kernel would go on naming it as its audit daemon. */
static void release_audit(int status, void *fd)
{
    (void)status;
    give_audit_back((int)(intptr_t)fd);
}

static void monitor_start(struct monitor *monitor, const struct options *options)
{
    const int buffer_bytes = (int)options->buffer_bytes;
    int result;

    monitor->fd = audit_open();
    if (monitor->fd < 0)
        err(EXIT_FAILURE, "cannot open an audit socket");
    /* Records wait in here from one batch to the next. SO_RCVBUF would be held below net.core.rmem_max. */
    if (setsockopt(monitor->fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer_bytes, sizeof(buffer_bytes)) != 0)
        err(EXIT_FAILURE, "cannot give the audit socket a buffer of %d bytes", buffer_bytes);
    monitor->receiver = receiver_new();
    monitor->kernel_lost_before = get_kernel_lost();

    result = audit_set_pid(monitor->fd, (uint32_t)getpid(), WAIT_NO);
    if (result == -EEXIST)
        errx(EXIT_FAILURE, "another process receives the audit records (auditctl -s shows its pid)");
    if (result <= 0)
        errx(EXIT_FAILURE, "cannot become the receiver of the audit records: %s", strerror(-result));
    if (on_exit(release_audit, (void *)(intptr_t)monitor->fd) != 0)
        errx(EXIT_FAILURE, "cannot arrange for giving the audit socket back");
    result = audit_set_enabled(monitor->fd, 1);
    if (result <= 0)
        errx(EXIT_FAILURE, "cannot switch auditing on: %s", strerror(-result));
}

/* Acknowledgements and the like are not records; AUDIT_REPLACE only asks whether somebody is still here. */
static bool is_record(int type)
{
    return type >= AUDIT_FIRST_USER_MSG && type != AUDIT_REPLACE;
}

static void take_record(struct monitor *monitor, int i, int64_t batch_ns)
{
    const struct receiver *receiver = monitor->receiver;
    const struct message *message = &receiver->messages[i];
    const size_t bytes = receiver->headers[i].msg_len;

    /* nlmsg_len of an audit record does not count the header, so the datagram's own length is taken. */
    if (receiver->senders[i].nl_pid != 0 || bytes < NLMSG_HDRLEN || !is_record(message->header.nlmsg_type))
        return;
    audit_events_add(&monitor->events, message->header.nlmsg_type, message->text,
                     strnlen(message->text, bytes - NLMSG_HDRLEN), batch_ns);
}

/* All that the socket holds. */
static void read_batch(struct monitor *monitor)
{
    struct receiver *receiver = monitor->receiver;
    const int64_t batch_ns = now_ns();
    bool more = true;

    while (more) {
        int count = recvmmsg(monitor->fd, receiver->headers, RECORDS_PER_CALL, MSG_DONTWAIT, NULL);

        for (int i = 0; i < count; i++)
            take_record(monitor, i, batch_ns);
        more = count == RECORDS_PER_CALL || (count < 0 && errno != EAGAIN);
        /* The kernel found the buffer full. It holds records back then, and may or may not have to drop some.
         */
        if (count < 0 && errno == ENOBUFS)
            monitor->overruns++;
        else if (count < 0 && errno != EAGAIN && errno != EINTR)
            err(EXIT_FAILURE, "cannot read the audit socket");
    }
    audit_events_expire(&monitor->events, batch_ns - EVENT_NS_MAX);
    append_flush(&monitor->log);
}

static void update_losses(struct monitor *monitor, const char *path)
{
    const uint64_t counts[] = {monitor->overruns, monitor->events.incomplete,
                               audit_events_serial_gaps(&monitor->events), monitor->events.truncated};

    if (memcmp(counts, monitor->losses.counts, sizeof(counts)) == 0)
        return;
    memcpy(monitor->losses.counts, counts, sizeof(counts));
    losses_write(&monitor->losses, path);
}

/* Sleeps, but not longer than until the descriptor is readable: then true. */
static bool wait_for(int fd, int max_ms)
{
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    int result = poll(&polled, 1, max_ms);

    if (result < 0 && errno != EINTR)
        err(EXIT_FAILURE, "cannot wait for descriptor %d", fd);
    return result > 0;
}

static void run(struct monitor *monitor, const struct options *options, int stop_fd)
{
    int64_t losses_due_ns = 0;
    bool stopped = false;

    while (!stopped) {
        /* The audit socket is left out: it would wake this process for each record. */
        stopped = wait_for(stop_fd, options->delay_ms);
        read_batch(monitor);
        if (now_ns() >= losses_due_ns) {
            update_losses(monitor, options->losses_path);
            losses_due_ns = now_ns() + NS_PER_SEC;
        }
    }
}

static void monitor_stop(struct monitor *monitor, const struct options *options)
{
    const int64_t deadline_ns = now_ns() + STOP_NS_MAX;

    while (wait_for(monitor->fd, STOP_QUIET_MS) && now_ns() < deadline_ns)
        read_batch(monitor);
    give_audit_back(monitor->fd);
    read_batch(monitor);
    audit_events_expire(&monitor->events, INT64_MAX);
    append_close(&monitor->log);
    update_losses(monitor, options->losses_path);
}

int main(int argc, char **argv)
{
    const struct options_program program = {
        .doc = "Record what the kernel's audit subsystem reports, each event in one piece and its records as "
               "they are. The "
               "rules are up to auditctl. See docs/floor.md.",
        .buffer_doc = "Size of the socket's receive buffer, which the kernel doubles (default: 16777216)",
        .buffer_bytes_default = 16 * 1024 * 1024,
    };
    struct monitor monitor = {
        .losses.names = {"overruns", "incomplete_events", "serial_gaps", "truncated_records"}};
    struct options options;
    int stop_fd;

    options_parse(&options, &program, argc, argv);
    stop_fd = stop_open();
    append_open(&monitor.log, options.output_path, AUDIT_LINE_BYTES_MAX);
    audit_events_init(&monitor.events, &monitor.log);
    losses_write(&monitor.losses, options.losses_path);
    monitor_start(&monitor, &options);
    printf("ready\n");
    fflush(stdout);

    run(&monitor, &options, stop_fd);
    monitor_stop(&monitor, &options);
    printf("events %" PRIu64 "\nrecords %" PRIu64 "\nwritten_bytes %" PRIu64 "\n", monitor.events.events,
           monitor.events.records, monitor.log.written_bytes);
    losses_print(&monitor.losses);
    printf("kernel_lost %" PRIu32 "\n", get_kernel_lost() - monitor.kernel_lost_before);
    audit_events_free(&monitor.events);
    free(monitor.receiver);
    return EXIT_SUCCESS;
}

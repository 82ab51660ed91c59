/* manycells make FOLDER CELLS LAUNCHES: a made-up run of a sweep, for measuring how long its figures take.
 * manycells measure COMMAND...: runs it, and prints its wall time and its CPU time in seconds, and its peak
 * memory in MiB. */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#define MONITORS 20
#define RATES 5
#define START_NS 1000000000000LL
#define REAL_OFFSET_NS 1790000000000000000LL
#define LOAD_S 20LL
#define SECOND 1000000000LL

struct bytes {
    char *data;
    size_t size;
};

static unsigned next_random(unsigned *state)
{
    return *state = *state * 1664525 + 1013904223;
}

/* What is in a file, so that it can be written again without being compressed again. */
static struct bytes packed(const char *folder, void (*print)(gzFile, int), int launches)
{
    struct bytes bytes;
    char path[4096];
    struct stat st;
    gzFile out;
    FILE *in;

    snprintf(path, sizeof(path), "%s/packed.gz", folder);
    out = gzopen(path, "wb6");
    if (!out)
        err(EXIT_FAILURE, "cannot write %s", path);
    print(out, launches);
    if (gzclose(out) != Z_OK || stat(path, &st) != 0)
        err(EXIT_FAILURE, "cannot write %s", path);
    bytes.size = (size_t)st.st_size;
    bytes.data = malloc(bytes.size);
    in = fopen(path, "re");
    if (!bytes.data || !in || fread(bytes.data, 1, bytes.size, in) != bytes.size)
        err(EXIT_FAILURE, "cannot read %s", path);
    fclose(in);
    unlink(path);
    return bytes;
}

static long long due_ns(int seq, int launches)
{
    return seq * (LOAD_S * SECOND / launches);
}

static void print_launches(gzFile out, int launches)
{
    unsigned state = 1;

    gzprintf(
        out,
        "seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status\n");
    for (int seq = 0; seq < launches; seq++) {
        long long due = START_NS + due_ns(seq, launches), late = 40000 + next_random(&state) % 30000;

        gzprintf(out, "%d,%lld,%lld,%lld,%lld,%u,%u,0\n", seq, due, due + late, due + REAL_OFFSET_NS,
                 due + late + REAL_OFFSET_NS, 800 + next_random(&state) % 300,
                 900000 + next_random(&state) % 700000);
    }
}

static void print_delivery(gzFile out, int launches)
{
    unsigned state = 2;

    gzprintf(out, "seq,time_real_ns\n");
    for (int seq = launches / 2; seq < launches; seq++)
        gzprintf(out, "%d,%lld\n", seq,
                 START_NS + due_ns(seq, launches) + REAL_OFFSET_NS + 2000000 + next_random(&state) % 9000000);
}

static void print_stacks(gzFile out, int launches)
{
    (void)launches;
    gzprintf(out, "swapper;[idle] 9000\n");
    for (int i = 0; i < 3000; i++)
        gzprintf(out, "true;entry_SYSCALL_64_[k];do_syscall_64_[k];function_%d_[k];%s 3\n", i,
                 i % 50 ? "leaf_[k]" : "bpf_prog_0123456789abcdef_exec");
}

static FILE *create(const char *folder, const char *file)
{
    char *path;
    FILE *out;

    if (asprintf(&path, "%s/%s", folder, file) < 0)
        err(EXIT_FAILURE, "cannot allocate a path");
    out = fopen(path, "we");
    if (!out)
        err(EXIT_FAILURE, "cannot write %s", path);
    free(path);
    return out;
}

static void finish(FILE *out)
{
    if (fclose(out) != 0)
        err(EXIT_FAILURE, "cannot write the run");
}

__attribute__((format(printf, 3, 4))) static void write_text(const char *folder, const char *file,
                                                             const char *format, ...)
{
    FILE *out = create(folder, file);
    va_list arguments;

    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    finish(out);
}

static void write_bytes(const char *folder, const char *file, const struct bytes *bytes)
{
    FILE *out = create(folder, file);

    fwrite(bytes->data, 1, bytes->size, out);
    finish(out);
}

static void write_reading(FILE *out, long long time_ns, long long load_ns, unsigned *state)
{
    long long busy_ns = load_ns * 2 + next_random(state) % 200000000;

    fprintf(out, "%lld,clock,monotonic,%lld,,,,ok\n", time_ns + REAL_OFFSET_NS, time_ns);
    fprintf(out, "%lld,cgroup,monitor,%lld,,,,ok\n", time_ns, load_ns / 4 + next_random(state) % 10000000);
    fprintf(out, "%lld,cgroup,load,%lld,,,,ok\n", time_ns, load_ns);
    fprintf(out, "%lld,cgroup,sampler,%lld,,,,ok\n", time_ns, load_ns / 100);
    fprintf(out, "%lld,kthread,kauditd,%lld,,,,ok\n", time_ns, load_ns / 20);
    fprintf(out, "%lld,host,steal,0,,,,ok\n", time_ns);
    fprintf(out, "%lld,host,busy,%lld,,,,ok\n", time_ns, busy_ns);
    fprintf(out, "%lld,host,tasks,%lld,,,,ok\n", time_ns, busy_ns - 1000000);
    fprintf(out, "%lld,bpf,7:on_exec:tracing,%lld,%lld,,,ok\n", time_ns, load_ns / 50, load_ns / 1000000);
    fprintf(out, "%lld,memory,monitor/11,,,4194304,8388608,ok\n", time_ns);
    fprintf(out, "%lld,self,cpumeter,1000,,,,ok\n", time_ns);
}

static void write_window(const char *folder, const char *file, long long from_s, long long to_s,
                         unsigned *state)
{
    FILE *out = create(folder, file);

    fputs("time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status\n", out);
    write_reading(out, START_NS + from_s * SECOND, from_s * SECOND, state);
    write_reading(out, START_NS + to_s * SECOND, to_s * SECOND, state);
    finish(out);
}

static void write_pidstat(const char *folder)
{
    FILE *out = create(folder, "pidstat.txt");

    fputs("Linux 6.1 (host) \t2026-01-02 \t_x86_64_\t(2 CPU)\n\n"
          "# Time        UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n",
          out);
    for (int i = 0; i < 8; i++)
        fprintf(out, "03:04:0%d        0        11    1.00    3.00    0.00    0.00    25.00     1  daemon\n",
                i);
    finish(out);
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0)
        err(EXIT_FAILURE, "cannot make the folder %s", path);
}

static void make_run(const char *folder, int cells, int launches)
{
    struct bytes launches_gz, delivery_gz, stacks_gz;
    int rep_size = MONITORS * RATES;
    unsigned state = 3;
    char path[4096];
    FILE *plan;

    make_folder(folder);
    launches_gz = packed(folder, print_launches, launches);
    delivery_gz = packed(folder, print_delivery, launches);
    stacks_gz = packed(folder, print_stacks, launches);
    write_text(folder, "manifest.json",
               "{\"kind\": \"sweep\", \"run_tag\": \"bench\", \"skipped\": {}, "
               "\"options\": {\"duration_s\": 8, \"instrumented_s\": 8, \"reps\": 10}}\n");
    snprintf(path, sizeof(path), "%s/cells", folder);
    make_folder(path);
    plan = create(folder, "plan.csv");
    fputs("cell,rep,monitor,rate,turn\n", plan);
    for (int cell = 0; cell < cells; cell++) {
        int rep = cell / rep_size + 1, monitor = cell % rep_size / RATES, rate = 100 << (cell % RATES);
        char name[32];

        snprintf(name, sizeof(name), monitor ? "monitor-%d" : "none", monitor);
        fprintf(plan, "%d,%d,%s,%d,1\n", cell + 1, rep, name, rate);
        snprintf(path, sizeof(path), "%s/cells/%s", folder, name);
        mkdir(path, 0777);
        snprintf(path, sizeof(path), "%s/cells/%s/%d-%d", folder, name, rate, rep);
        make_folder(path);
        write_text(path, "cell.json",
                   "{\"cell\": %d, \"test\": \"%s\", \"exec_per_sec\": %d, \"rep\": %d, \"turn\": 1, "
                   "\"status\": \"ok\", \"reason\": \"\"}\n",
                   cell + 1, name, rate, rep);
        write_text(
            path, "load.json",
            "{\"tag\": \"bench.%d\", \"launched\": %d, \"failed\": 0, \"missed\": 0, \"saturated\": false, "
            "\"duration_s\": %lld, \"achieved_hz\": %d, \"start_mono_ns\": %lld, \"end_mono_ns\": %lld, "
            "\"start_real_ns\": %lld, \"real_step_ns\": 0, \"lateness_us\": {\"p50\": 55.2, \"p99\": "
            "99.5}}\n",
            cell + 1, launches, LOAD_S, rate, START_NS, START_NS + LOAD_S * SECOND + SECOND,
            START_NS + REAL_OFFSET_NS);
        write_text(path, "before.json", "{\"losses\": {\"kernel\": 5}, \"helpers\": [\"kauditd\"]}\n");
        write_text(path, "after.json", "{\"losses\": {\"kernel\": 5}, \"helpers\": [\"kauditd\"]}\n");
        write_text(path, "clock.json", "{\"before_us\": 1790000000000000, \"after_us\": 1790000000000100}\n");
        write_text(path, "log-bytes.json", "{\"start\": 1000, \"end\": 900000}\n");
        write_text(path, "count.json", "{\"recorded\": %d}\n", launches);
        write_text(path, "drain.json", "{\"last_record_us\": %lld}\n",
                   (START_NS + REAL_OFFSET_NS + LOAD_S * SECOND) / 1000 + 100000);
        write_text(path, "pids.csv", "11,daemon,daemon\n");
        write_text(path, "pids-after.csv", "11,daemon,daemon\n");
        write_text(path, "bpf-metered", "%s", "");
        write_pidstat(path);
        write_window(path, "window-a.csv", 2, 10, &state);
        write_window(path, "window-b.csv", 10, 18, &state);
        write_bytes(path, "launches.csv.gz", &launches_gz);
        write_bytes(path, "delivery.csv.gz", &delivery_gz);
        write_bytes(path, "stacks.folded.gz", &stacks_gz);
    }
    finish(plan);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int measure(char **command)
{
    double start = seconds();
    struct rusage usage;
    int status;
    pid_t pid = fork();

    if (pid < 0)
        err(EXIT_FAILURE, "cannot fork");
    if (pid == 0) {
        execvp(command[0], command);
        err(127, "cannot execute %s", command[0]);
    }
    if (wait4(pid, &status, 0, &usage) < 0)
        err(EXIT_FAILURE, "cannot wait for %s", command[0]);
    printf("%.2f %.1f %.1f\n", seconds() - start,
           (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6 +
               (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6,
           (double)usage.ru_maxrss / 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "make") == 0 && atoi(argv[3]) > 0 && atoi(argv[4]) > 1) {
        make_run(argv[2], atoi(argv[3]), atoi(argv[4]));
        return EXIT_SUCCESS;
    }
    if (argc > 2 && strcmp(argv[1], "measure") == 0)
        return measure(argv + 2);
    errx(2, "expected make FOLDER CELLS LAUNCHES, or measure COMMAND...");
}

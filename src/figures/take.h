/* Figures of a cell that take more than one raw reading. */
#ifndef FIGURES_TAKE_H
#define FIGURES_TAKE_H

#include "figure.h"

double take_growth(const struct raw *raw, const struct growth *growth);
double take_field(const struct raw *raw, const struct field *field);

/* ns of CPU time in a window, as that is to be shown. */
double take_per_execution(const struct raw *raw, int window, double ns);
double take_per_window(const struct raw *raw, int window, double ns);

double take_daemon_us(const struct raw *raw);
double take_daemon_cpu(const struct raw *raw);
double take_bpf_us(const struct raw *raw);
double take_bpf_program_us(const struct raw *raw);
double take_bpf_program_error_us(const struct raw *raw);
double take_bpf_parent_us(const struct raw *raw);
double take_bpf_parent_error_us(const struct raw *raw);
double take_bpf_daemon_us(const struct raw *raw);
double take_bpf_other_us(const struct raw *raw);
double take_bpf_cpu(const struct raw *raw);
double take_bpf_runs(const struct raw *raw);
double take_child_cpu_mean_us(const struct raw *raw);
double take_parent_cpu_us(const struct raw *raw);
double take_host_busy_us(const struct raw *raw);
double take_busy_cpu(const struct raw *raw);
double take_other_tasks_us(const struct raw *raw);
double take_outside_tasks_us(const struct raw *raw);
double take_pidstat_daemon(const struct raw *raw);
double take_shared_cores(const struct raw *raw);
double take_far_cores(const struct raw *raw);
double take_pidstat_services(const struct raw *raw);
double take_bpf_perf_us(const struct raw *raw);
double take_bpf_perf_error_us(const struct raw *raw);
double take_load_instructions_user(const struct raw *raw);
double take_load_instructions_kernel(const struct raw *raw);
double take_daemon_instructions_user(const struct raw *raw);
double take_daemon_instructions_kernel(const struct raw *raw);
double take_achieved_per_sec(const struct raw *raw);
double take_lost(const struct raw *raw);
double take_behind_s(const struct raw *raw);
double take_delivery_p50_ms(const struct raw *raw);
double take_delivery_p99_ms(const struct raw *raw);
double take_delivery_max_ms(const struct raw *raw);
double take_memory_peak_bytes(const struct raw *raw);
double take_log_bytes(const struct raw *raw);
double take_spawn_to_exit_p50_us(const struct raw *raw);
double take_spawn_to_exit_p99_us(const struct raw *raw);
double take_window_s(const struct raw *raw);
double take_window_b_s(const struct raw *raw);
double take_side_program_us(const struct raw *raw);
double take_side_program_error_us(const struct raw *raw);
double take_side_parent_us(const struct raw *raw);
double take_side_parent_error_us(const struct raw *raw);
double take_side_slowdown_p50_us(const struct raw *raw);
double take_side_slowdown_p99_us(const struct raw *raw);
double take_side_minor_faults(const struct raw *raw);
double take_side_switches(const struct raw *raw);
double take_side_launches(const struct raw *raw);
char *take_side_problem(const struct raw *raw);
char *take_inprogram_method(const struct raw *raw);
char *take_status(const struct raw *raw);
char *take_reason(const struct raw *raw);
char *take_loss_counters(const struct raw *raw);
char *take_marks(const struct raw *raw);

#endif

/* Figures that need the baseline and more than one other figure, and what of the baseline is in them. */
#ifndef FIGURES_DERIVE_H
#define FIGURES_DERIVE_H

#include "base.h"

/* CPU time of an execution, with all that the monitor adds to it. */
double unwatched_us(const struct cell *cell);

double derive_daemon_us(const struct cell *cell, const struct base *base);
double derive_services_cpu(const struct cell *cell, const struct base *base);
double derive_services_us(const struct cell *cell, const struct base *base);
double derive_program_us(const struct cell *cell, const struct base *base);
double derive_program_error_us(const struct cell *cell, const struct base *base);
double derive_parent_error_us(const struct cell *cell, const struct base *base);
double derive_parent_us(const struct cell *cell, const struct base *base);
double derive_baseline_us(const struct cell *cell, const struct base *base);
double derive_execution_us(const struct cell *cell, const struct base *base);
double common_error_program_us(const struct cell *cell);
double common_error_parent_us(const struct cell *cell);
double common_error_inprogram_us(const struct cell *cell);

/* By how much a figure is too large where what is pooled is too large by one standard error. */
double pooled_error_program_us(const struct cell *cell);
double pooled_error_parent_us(const struct cell *cell);
double pooled_error_inprogram_us(const struct cell *cell);
double pooled_error_slowed_us(const struct cell *cell);
double pooled_error_execution_us(const struct cell *cell);
double pooled_error_bpf_us(const struct cell *cell);
double pooled_error_bpf_cpu(const struct cell *cell);
double pooled_error(const struct figure *figure, const struct cell *cell);

/* What of a figure's error all cells of a monitor share, one standard error; 0 if there is none. */
double common_error(const struct figure *figure, const struct cell *cell);

double derive_counted_us(const struct cell *cell, const struct base *base);
double derive_inprogram_us(const struct cell *cell, const struct base *base);
double derive_slowed_us(const struct cell *cell, const struct base *base);
double derive_total_cpu(const struct cell *cell, const struct base *base);
double derive_elsewhere_us(const struct cell *cell, const struct base *base);
double derive_bpf_cpu(const struct cell *cell, const struct base *base);
double derive_cpu(const struct cell *cell, const struct base *base);

double taken_off_services_cpu(const struct cell *baseline, const struct cell *own, double rate);
double taken_off_services_us(const struct cell *baseline, const struct cell *own, double rate);
double taken_off_program_us(const struct cell *baseline, const struct cell *own, double rate);
double taken_off_parent_us(const struct cell *baseline, const struct cell *own, double rate);
double taken_off_baseline_us(const struct cell *baseline, const struct cell *own, double rate);
double taken_off_execution_us(const struct cell *baseline, const struct cell *own, double rate);
double taken_off_counted_us(const struct cell *baseline, const struct cell *own, double rate);
double taken_off_inprogram_us(const struct cell *baseline, const struct cell *own, double rate);
double taken_off_slowed_us(const struct cell *baseline, const struct cell *own, double rate);
double taken_off_total_cpu(const struct cell *baseline, const struct cell *own, double rate);
double taken_off_elsewhere_us(const struct cell *baseline, const struct cell *own, double rate);

/* What a cell of the baseline has of what was taken off a figure of own, whose rate is rate; unknown if
 * nothing was. */
double taken_off(const struct figure *figure, const struct cell *baseline, const struct cell *own,
                 double rate);

#endif

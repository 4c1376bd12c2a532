/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gamma distribution at every shape: latencies that hardly vary have shapes of millions. */
#pragma once

/* The quantile @p of the distribution of @shape, less its mean and divided by its standard deviation. */
double culprit_gamma_quantile (double p, double shape);

/* The likeliest shape where the logarithm of the mean is greater by @excess than the mean of the logarithms. */
double culprit_gamma_shape (double excess);

/* The mean log-likelihood of the likeliest gamma distribution of that shape, mean @log_mean (its logarithm) and
 * @excess. */
double culprit_gamma_log_likelihood (double shape, double log_mean, double excess);

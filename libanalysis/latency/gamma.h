/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gamma distribution for any shape: latencies that hardly vary have shapes of millions. */
#pragma once

/* The quantile @p of the distribution of @shape, minus its mean, divided by its standard deviation. */
double culprit_gamma_quantile (double p, double shape);

/* The likeliest shape if the logarithm of the mean exceeds the mean of the logarithms by @excess. */
double culprit_gamma_shape (double excess);

/* The mean log-likelihood of the gamma distribution that is likeliest for @excess, with the logarithm of the mean
 * @log_mean. */
double culprit_gamma_log_likelihood (double shape, double log_mean, double excess);

// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * The programs that see every exchange of the observed processes and put a traceparent into their requests. Each
 * concern has a header; this file is the object that is loaded.
 */
#include "calls.h"
#include "logs.h"
#include "processes.h"
#include "enrolling.h"
#include "joining.h"
#include "sending.h"
#include "tls.h"

char licence[] SEC("license") = "Dual BSD/GPL";

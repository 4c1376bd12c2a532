/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace.dat file says of the layout of its events: the kernel's own texts, of Linux 6.1 on 64 bits. */
#pragma once

/* clang-format off */
static const char header_page[] =
  "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char header_event[] =
  "# compressed entry header\n"
  "\ttype_len    :    5 bits\n"
  "\ttime_delta  :   27 bits\n"
  "\tarray       :   32 bits\n"
  "\n"
  "\tpadding     : type == 29\n"
  "\ttime_extend : type == 30\n"
  "\ttime_stamp : type == 31\n"
  "\tdata max type_len  == 28\n";

static const char *const ftrace_formats[] = {
  "name: funcgraph_exit\n"
  "ID: 10\n"
  "format:\n"
  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
  "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
  "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
  "\n"
  "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
  "\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n"
  "\tfield:unsigned int overrun;\toffset:20;\tsize:4;\tsigned:0;\n"
  "\tfield:unsigned long long calltime;\toffset:24;\tsize:8;\tsigned:0;\n"
  "\tfield:unsigned long long rettime;\toffset:32;\tsize:8;\tsigned:0;\n"
  "\n"
  "print fmt: \"<-- %ps (%d) (start: %llx  end: %llx) over: %d\", (void *)REC->func, REC->depth, REC->calltime, REC->rettime, REC->depth\n",

  "name: funcgraph_entry\n"
  "ID: 11\n"
  "format:\n"
  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
  "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
  "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
  "\n"
  "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
  "\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n"
  "\n"
  "print fmt: \"--> %ps (%d)\", (void *)REC->func, REC->depth\n",

  "name: print\n"
  "ID: 5\n"
  "format:\n"
  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
  "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
  "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
  "\n"
  "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
  "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n"
  "\n"
  "print fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n",
};

static const char switch_format[] =
  "name: sched_switch\n"
  "ID: 372\n"
  "format:\n"
  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
  "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
  "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
  "\n"
  "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
  "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
  "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
  "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
  "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
  "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
  "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n"
  "\n"
  "print fmt: \"prev_comm=%s prev_pid=%d ==> next_comm=%s next_pid=%d\", REC->prev_comm, REC->prev_pid, REC->next_comm, REC->next_pid\n";
/* clang-format on */

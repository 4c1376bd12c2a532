/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the recorder, from those that others need on. Requests, which are also fuzzed, are in
 * request.h.
 *
 * A function that cannot do what it is to calls fail() and returns false, or what its comment says instead. */
#pragma once

#include "request.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/* reply.c: Writes the lines of the protocol to standard output: one JSON object each, built member by member. */

/* Begins an object with its type. */
void reply_begin (const char *type);

/* Members; @key is NULL inside lists. In invalid UTF-8, bytes are replaced. NULL is written as null. */
void reply_text (const char *key, const char *value);
void reply_int (const char *key, int64_t value);
void reply_bool (const char *key, bool value);

/* A number, or null if it is negative, i.e. not known. */
void reply_known (const char *key, int64_t value);

/* @size bytes in base64. */
void reply_bytes (const char *key, const uint8_t *bytes, size_t size);

/* Opens a member that is a list ('[') or an object ('{'), and closes the innermost one. */
void reply_open (const char *key, char bracket);
void reply_close (char bracket);

/* Writes the line. False if the reader is gone, or has not read for too long: then the recording ends. */
bool reply_end (void);

/* What can be done about the problem that the next error, or reply_problem(), tells: a key of PROTOCOL.md. */
void reply_remedy (const char *key);

/* The same with the key "longer-period": one of at least @shortest_period_ns. */
void reply_longer_period (int64_t shortest_period_ns);

/* Notes why the recording cannot go on, in one line that problem() returns. Returns false. */
bool fail (const char *text, ...) __attribute__ ((format (printf, 1, 2)));
const char *problem (void);

/* The same with what can be done about it. */
#define fail_with(remedy, ...) (reply_remedy (remedy), fail (__VA_ARGS__))

/* A line of type "error" or "note" with its text. */
bool reply_error (const char *text, ...) __attribute__ ((format (printf, 1, 2)));
bool reply_note (const char *text, ...) __attribute__ ((format (printf, 1, 2)));

/* A note of problem(), in spite of which the recording goes on. */
bool reply_problem (void);

/* control.c: What may end a recording: the session, by a line or by disconnecting, and signals. */

/* Takes over signals and standard input. @request is the request from the command line; NULL: it comes on standard
 * input. */
void control_begin (const char *request);

/* Reads the request, as input_take(). INPUT_NOTHING: the session disconnected. */
InputLine control_read_request (JsonValue *request);

/* From now on a session that says nothing for @silence_ns is considered dead, and the recording is to stop. 0: it may
 * be silent. It may also not read for so long, if that is longer than for others. */
void control_watch (int64_t silence_ns);

/* Whether it was considered dead. */
bool control_session_is_dead (void);

/* Waits until @fd is readable (-1: none) or @timeout_ms have passed, and handles stops meanwhile. Returns whether @fd
 * is readable. */
bool control_wait (int fd, int timeout_ms);

/* Waits until standard output accepts more of a line that was begun at @since_ns, and handles stops meanwhile. False:
 * nobody has read for too long, which after a stop is a short time. */
bool control_wait_output (int64_t since_ns);

/* Ends standard output, and waits as long until all of it was passed on. */
void control_end_output (void);

/* Whether the recording is to stop. */
bool control_stopped (void);

/* Makes it stop: nobody is reading any more. */
void control_stop (void);

/* From now on raises *@heartbeat whenever it waits for something; NULL: no longer. */
void control_show_life (atomic_uint *heartbeat);

/* start.c: Starts from a known state, whatever the calling program left behind. */

/* The user who requested root's action. */

/* Becomes the requesting user: as reported by pkexec, sudo or doas, else the one logged in; with that user's groups,
 * home and a clean environment. Remains root if root itself logged in, or nobody did. False: the user is not known, or
 * something failed; the process must then exit. */
bool caller_become (void);

/* Whether all that reports the user agrees, and nobody is root against what the audit system says. Else
 * false, and @text says why. */
bool caller_is_clear (char *text, size_t size);

#define CALLER_LIMITS 14

/* What a program of that user's gets from the process that started us. */
typedef struct
{
  uint32_t uid;
  uint32_t mask; /* for files that are created */
  uint32_t folder_owner;
  struct rlimit limits[CALLER_LIMITS];
  char group[PATH_MAX];  /* its control group, below the first one */
  char folder[PATH_MAX]; /* where it was started; empty: not known */
} Caller;

/* False: the user is not known. */
bool caller_note (Caller *caller);

/* Lets another one be the requesting user, that of a recording which was killed; NULL: no longer. Nothing of the
 * process that started us is passed on then: the folder, the limits and the control group are those of that recording,
 * and there are no keys. If its group is gone, "culprit-undo" below the first one takes its place. */
void caller_replace (const Caller *caller);

/* A control group of the recorder's own, with version 2 of the kernel's. Whoever owns the caller's, as users own those
 * of their session, could otherwise freeze or kill everything that restores the machine. What runs for the caller, the
 * load and the measuring threads, stays in the caller's, with the limits and CPUs that it has. */

/* Moves this process out of the caller's group, and with it the children that it will have, unless no group may hold
 * us: there are none, or the caller is in the first one. @kept: why it could not be left; else 0. False with errno: it
 * was left, but nothing can be moved back to it, so that what runs for the caller would be in ours. */
bool group_leave (int *kept);

/* Moves this process back to the caller's group. True as well if it never left. */
bool group_return (void);

/* Drops privileges that are no longer needed. */

/* For the supervisor once everything is set up: from here on, it and what it starts can measure, trace, extract
 * captures and restore everything, but cannot load modules, mount file systems, trace processes, become another user,
 * or gain privileges by running a program. */
void privileges_confine (void);

/* For a measuring thread once it is scheduled: the only capability it keeps is that to lock memory. */
void privileges_drop (void);

/* Lets a program that this process becomes have none of the capabilities that its caller passed on. */
void privileges_pass_none_on (void);

/* Resets what a process inherits: signal dispositions and mask, timers, resource limits, file mode mask, open files;
 * scheduling, and who is killed first when memory is short. */
void start_afresh (void);

/* Restores all but files, for a program of the user's. */
void start_restore_inherited (void);

/* Closes all files but the standard streams; the second one, all but these and what group_return() needs. For a child
 * that is the user's, or waits for one: a file system of the user's can keep it from ever ending, and what it has of
 * ours would stay open, among that the lock. */
void start_close_files (void);
void start_close_files_but_groups (void);

/* streams.c: Standard streams that nobody else can make us wait at. */

/* Puts sockets in the place of the caller's standard input and output, which other processes copy from and to, and
 * nothing in that of standard error. To be called before there is anything to restore, and no more than once. */
bool streams_begin (void);

/* A socket of ours, which does not block, and one for the process that copies to or from it. False with errno. */
bool streams_pair (int pair[2]);

/* In a new child that is to run a command of the user's: makes its standard output and error a pipe, from which another
 * process copies to @end of such a pair, until the other end of that is gone, or shut down for writing: then the rest
 * follows. The pipe always has a reader, and after that it does not block, so that what stays in the background may
 * write for ever. False: the streams stay what they are. */
bool streams_begin_words (int end);

/* load.c: A load during the measurement: any command, with everything that it starts. */

/* Exit statuses of a load that could not begin. */
#define LOAD_NO_SHELL 123
#define LOAD_NO_GROUP 124
#define LOAD_NO_USER 125
#define LOAD_NO_COMMAND 127

/* What such a status means, to be put behind it; empty: anything. */
const char *load_status_words (int status);

/* In a new child of @parent: runs @command with sh, as the user who requested the recording. It ends with @parent.
 * @began, in shared memory: it has come as far as the command, which may end with any status; NULL: nobody asks. */
void load_run (pid_t parent, const char *command, atomic_bool *began) __attribute__ ((noreturn));

/* Starts @command with sh, as the user who requested the recording, below a keeper process. Returns the keeper's
 * process id; -1 after fail(). @contained: whether the kernel ends all of it.
 *
 * The keeper is the first process of a PID namespace: when it ends, the kernel ends everything that the load ever
 * started, whatever sessions and groups that formed. The keeper ends when we do, however we end. If the kernel has no
 * such namespaces, the keeper adopts the load's orphans and ends all of them before it ends. */
pid_t load_start (const char *command, bool *contained);

/* Whether the load has ended by itself with everything that it started, and with what exit status. It is reaped by
 * load_end(). */
bool load_has_ended (pid_t keeper, int *status);

/* Ends all processes of the load, by force if necessary, and all other children of ours if it was not @contained. Waits
 * a moment for these also if there was none (0), and lets them be. */
void load_end (pid_t keeper, bool contained);

/* delayer.c: Has culprit-delayer delay a function of the kernel: see app/delayer. */

#define NS_PER_PERCENT 10000000ll /* of a second */

/* What became of the calls of the function. */
typedef struct
{
  int64_t calls;
  int64_t spun_ns;  /* how long they were really held up, all together */
  int64_t withheld; /* calls that were not delayed, as that would have taken too much of a CPU */
} Delayed;

/* Starts it for @function, with delays of at most @percent of each second of a CPU. It ends when we do, however we end.
 */
bool delayer_start (const char *function, int64_t percent);

/* Delays the calls by @delay_ns from now on. @before: what became of those since the last time. */
bool delayer_set (int64_t delay_ns, Delayed *before);

/* Ends it, if it runs. */
void delayer_end (void);

/* delays.c: What a thread had to wait for, from the kernel's delay accounting. */

#define DELAY_KINDS 5

typedef struct
{
  bool known;
  struct
  {
    uint64_t count;
    uint64_t ns;
  } of[DELAY_KINDS]; /* The CPU, as another task held it; block I/O; swap-in; reclaiming memory; thrashing. */
} Delays;

/* The delays of a thread since it began. Not known if the kernel has no taskstats, or does not let us read them. If
 * delay accounting is off, or was switched on after the thread began, only those of the CPU count, as the scheduler
 * always keeps them (Linux 5.14 and later); the others stay 0. */
Delays delays_of_thread (pid_t tid);

/* Adds @more to @sum; the sum is known if both are. */
void delays_add (Delays *sum, const Delays *more);

/* Writes them as a member of a line. */
void delays_reply (const Delays *delays);

/* facts.c: What is known about the target: its kernel, its CPUs, and what takes time from them. */

/* Writes all facts in one line. Changes nothing on the target. */
void facts_reply (void);

/* Whether we run as root with all its privileges. */
bool facts_root (void);

/* sched_rt_runtime_us; negative if real-time tasks have no limit. */
int64_t facts_rt_runtime_us (void);

/* Whether real-time tasks leave some time to others. */
bool facts_throttled (void);

/* Whether the kernel calls tracers of functions at all; true if that is not known. */
bool facts_functions_are_traced (void);

/* The number of system management interrupts of @cpu so far; -1 if it does not count them. Its file is looked for at
 * the first call, by facts_reply(), before anything is changed: who lists /dev can keep that waiting, if it is not
 * there. */
int64_t facts_smi_count (int cpu);

/* Keeps the CPUs out of idle states with a long exit latency, or no longer. */
void facts_hold_latency (bool hold);

/* The time that a hypervisor took from @n CPUs since boot, in ns; -1 if the kernel does not report it. */
int64_t facts_steal_ns (const int *cpus, int n);

/* capture.c: Takes a capture out of the ring buffer and sends it. */

#define FOLDER_SIZE 64

/* The parent folder for captures, which need not be there yet, and how many bytes are free there; -1: there is none. */
int64_t capture_room (char parent[FOLDER_SIZE]);

/* Makes what folders for captures are made in, as far as may be. To be called before there is a lock, as that may last:
 * see folder_open_own(). */
void capture_prepare (void);

/* Chooses a name for a folder for captures where there is space for one. The lock must be held. */
bool capture_choose_folder (const Request *request, char folder[FOLDER_SIZE]);

/* Makes the folder chosen. There is no name any more if that fails. */
bool capture_make_folder (char folder[FOLDER_SIZE]);

/* Has trace-cmd extract the ring buffer into @folder. */
bool capture_extract (const char *folder);

/* Sends what was extracted as capture @number, and removes it. */
bool capture_send (const char *folder, int number);

/* Removes the folder with its content. An empty name is no folder. */
void capture_remove_folder (char folder[FOLDER_SIZE]);

typedef struct Rescue Rescue; /* What must be restored whatever happens: see journal.c. */

/* tracing.c: The target's tracing: checks whether it is in use, sets it up for a recording, and restores it. */

/* Why a trace has no hit, or a hit that comes cannot be marked in it. */
#define TRACING_STOPPED "another program stopped this machine's tracing while culprit was recording"

/* What lets settings be restored that are busy. */
#define TRACING_USERS "end what uses it, such as what reads trace or trace_pipe"
#define TRACING_TO_FREE TRACING_USERS ", or free memory"

#define SAVED_TEXT_SIZE (4 << 20)

/* The settings before they were changed. */
typedef struct
{
  atomic_bool changed; /* There is something to restore. */
  size_t used;
  char text[SAVED_TEXT_SIZE]; /* name, value, name, value..., each ending with 0 */
} SavedSettings;

/* Opens a file of tracefs for writing; -1 if that fails. */
int setting_open (const char *name);

/* Writes @text to one, and adds it to what one has as a line of its own. False with errno. */
bool setting_write (const char *name, const char *text);
bool setting_append (const char *name, const char *text);

/* Its content without comments, or NULL; the caller frees it. */
char *setting_read (const char *name);

/* Adds @text to @saved. False if there is no room. */
bool setting_keep (SavedSettings *saved, const char *text);

/* Saves all settings that a recording changes. Before anything is changed, @saved->changed must be set. */
bool settings_save (SavedSettings *saved);

/* Finds tracefs. To be called before anything else of it, which is then nowhere but there. False: it is not mounted. */
bool tracing_find (void);

/* The same, and mounts it if it is not. Fails also if it was given to another user, so that a confined recorder could
 * restore nothing in it. */
bool tracing_mount (void);

/* Whether a confined recorder may write to the file, or use the folder, @name of tracefs. */
bool tracing_is_left_to_us (const char *name);

/* Writes who uses tracing and how, as members of a line. Mounts nothing. */
void tracing_reply_facts (void);

/* Whether trace-cmd takes the same for tracefs as we do. */
bool tracing_is_found_by_trace_cmd (void);

/* Whether the tracing of @request, which must have some, is possible here. */
bool tracing_check (const Request *request);

/* Whether nobody has set a filter for the event SYSTEM:EVENT at @event, which a line break may follow. */
bool tracing_is_unfiltered (const char *event);

/* Changes the settings as @request says, with the tracer ready but not on yet. Fails if somebody has set a filter for
 * one of its events, or has one switched off. */
bool tracing_set_up (const Request *request);

/* Removes the tracer, so that it does not slow down a run without tracing. False with errno: it may still do so. */
bool tracing_take_down (void);

/* Empties the ring buffer and switches tracing on. Fails if someone else removed the tracer. */
bool tracing_begin (void);

/* Switches tracing off, so that the tracer costs as little as it can until tracing_begin(). */
void tracing_off (void);

/* Restores all settings and empties the ring buffer. May be called at any time, and twice. Returns the names of those
 * that could not be restored, and what can be done if they are busy, until the next call; NULL: all were. If we lack
 * the rights, which the first process may still have, or settings are busy, they stay @saved->changed. */
const char *tracing_restore (SavedSettings *saved);

/* Whether that could not restore a setting that is busy: somebody uses it, such as who reads trace_pipe, or memory is
 * short. */
bool tracing_is_busy (void);

/* Whether our tracer is one of these, which slows down all that is measured. */
bool tracing_keeps_tracer (void);

/* The time of the oldest event of @cpu in the ring buffer; 0: not known. */
int64_t tracing_oldest_ns (int cpu);

/* probes.c: Where in the file of a program a probe belongs. */

#define MOST_SITES 8 /* of one probe: a mark may be in several places, as in inlined functions */

typedef struct
{
  uint64_t offset;    /* in the file */
  uint64_t semaphore; /* likewise, of a counter that says whether anybody listens; 0: there is none */
} ProbeSite;

typedef struct
{
  int fd;      /* of the file, which stays open: the kernel is told that it is this one */
  bool throws; /* The program has exceptions, one of which through a function whose return is probed ends it. */
  int n;
  ProbeSite sites[MOST_SITES];
} ProbePlace;

/* Looks with the rights of the requesting user, in a child that has nothing of @rescue. A note tells what the probe may
 * do to the program. */
bool probe_find (const Probe *probe, Rescue *rescue, ProbePlace *place);

/* triggers.c: Lets the kernel measure the windows of a request. */

typedef struct
{
  char file[256]; /* below tracefs */
  char text[900]; /* empty: it is a folder to be made */
} TriggerStep;

/* All that is changed for it, in order; it is undone in the reverse one. */
typedef struct
{
  const Request *request;
  const char *lacking; /* what the kernel lacks to measure windows, which are then watched from here; NULL: nothing */
  char name[32];       /* of all that is ours, or the beginning of the name */
  char instance[48];   /* our folder of tracefs, and the same with a slash */
  char folder[56];
  char event[48];     /* of a window that has ended */
  char condition[96]; /* that it is a hit */
  TriggerStep steps[10 + 2 * MOST_SITES];
  int n;
  int probes; /* how many of the first make those of programs */
  int bins;   /* the first of those that count latencies */
  int hits;   /* the first of those that wait for a hit */
  char events[6][136];
  int n_events; /* that the analysis of a capture needs */
} Triggers;

/* The condition that an event is about the task of @window, whose name and pid are its fields @comm and @pid. One of
 * two texts, by turns. */
const char *triggers_is_task (const Window *window, const char *comm, const char *pid);

/* The same of timers that a task starts itself: what interrupts start above it, as the tick, is not its own. */
#define OWN_TIMER "%s && !(common_flags & 24)"

/* Whether the windows that were planned can be measured on this machine. */
bool triggers_check (const Triggers *triggers);

/* Plans what is needed for @request, without doing anything. False: the programs have no such probes. */
bool triggers_plan (Triggers *triggers, const Request *request, Rescue *rescue);

/* Adds how all of it is undone to @saved. */
bool triggers_save (const Triggers *triggers, SavedSettings *saved);

/* Whether writing @text to @file of tracefs, or removing that folder if it is empty, undoes something of ours. */
bool triggers_is_undoing (const char *file, const char *text);

/* Does it, also if there is nothing to undo. False if that fails. */
bool triggers_undo (const char *file, const char *text);

/* Begins to measure; @traced: with the events that the analysis needs in the buffer, whose tracer must be set up. */
bool triggers_set_up (const Triggers *triggers, bool traced);

/* From now on a hit stops the trace, and the counting. */
bool triggers_arm (const Triggers *triggers);

/* Undoes everything. */
void triggers_take_down (const Triggers *triggers);

/* After a hit: goes on counting, and waits for no other. */
bool triggers_resume (const Triggers *triggers);

#define MOST_BINS 16384

typedef struct
{
  int64_t us; /* the latency, rounded down */
  int64_t count;
} WindowBin;

/* What the kernel has counted so far. */
typedef struct
{
  WindowBin bins[MOST_BINS]; /* by latency */
  int n;
  int64_t absurd;  /* windows that ended before they began */
  int64_t dropped; /* windows for whose latency there was no room */
  int64_t losses;  /* how often events were lost, with the windows that were open then */
} WindowCounts;

bool triggers_read (const Triggers *triggers, WindowCounts *counts);

/* Whether something has stopped the trace, most likely a hit. To be asked often where the kernel lacks something. */
bool triggers_has_hit (const Triggers *triggers);

/* How many events the kernel had no room for, since they had too many different keys: their windows are not counted. */
int64_t triggers_read_lost (const Triggers *triggers);

typedef struct
{
  int cpu;
  pid_t pid; /* -1: not known */
  int64_t latency_ns;
  int64_t observed_ns; /* its end, rounded down to us */
} WindowHit;

/* The window that stopped the trace. False: it is not known. */
bool triggers_hit (const Triggers *triggers, WindowHit *hit);

/* follow.c: Watches windows from user space, for triggers where the kernel lacks something. One at a time. */

/* Whether windows can be watched so: not marks, whose events come to the traced buffer alone. */
bool follow_can (const Window *window);

/* Begins, in the instance that the triggers have made. */
bool follow_begin (const Triggers *triggers, const Request *request);

/* Reads what has happened. Returns whether a window that is a hit has stopped the trace. */
bool follow_read (void);

/* Lets the next hit stop the trace, or none; the last one is forgotten. */
void follow_arm (bool armed);

/* Ends and frees everything; may be called at any time. */
void follow_end (void);

void follow_counts (WindowCounts *counts);
bool follow_hit (WindowHit *hit);

/* journal.c: What a recording must restore, in a file that outlives it: /run/culprit/journal, readable by root only.
 * The folder is also the lock that keeps two recordings from changing tracing at once; it is held as long as any of our
 * processes lives. */

/* How a treatment is undone, and by whom. */
typedef struct
{
  Caller caller;
  char undo[COMMAND_SIZE];
} Undoing;

/* In memory that the supervisor shares with the process that started it. */
struct Rescue
{
  SavedSettings tracing;
  pid_t load;
  bool contained; /* the load */
  char folder[FOLDER_SIZE];
  atomic_bool left;    /* The following is what a killed recording left: its caller is another one. */
  atomic_bool treated; /* It is to be done, even if the treatment failed or was not completed. */
  Undoing undoing;
  char treat[COMMAND_SIZE];
  atomic_bool began; /* the last command of a treatment */
  char said[512];    /* why a command of a treatment failed */
};

/* Restores tracing settings, ends the load, removes temporary files; not a treatment. May be called at any time, and
 * twice. Returns the name of a setting that could not be restored, which is in @rescue; NULL: all were restored. If
 * they are still changed, journal and lock are kept for the first process, which has all rights. */
const char *rescue_all (Rescue *rescue);

/* Opens the folder @path, which only root may list, and makes it if there is none. Not before: who may list a folder
 * can let the kernel hold its lock, for which all wait that make or remove something in it, even if that is there
 * already. -1 with errno. */
int folder_open_own (const char *path);

/* Opens the folder of the journal, before processes are forked, so that they share its lock. Without root, or without a
 * place for it, there is no journal, and the functions below say so. */
void journal_open (void);

/* Takes the lock, which rescue_all() releases, waiting a moment for the remains of a killed recording.  */
bool journal_lock (void);

/* In a child that is to go to the caller's control group, where it may be unable to end: it shall not hold the lock. */
void journal_close (void);

/* Whether a recording whose processes are all gone did not restore what it changed. */
bool journal_is_left (void);

/* The same if we have the lock. */
bool journal_waits (void);

typedef enum
{
  RECOVERED,
  RECOVERED_NOTHING, /* There was nothing to restore. */
  RECOVERED_IN_PART, /* A setting rejected its old value, or the journal was damaged. */
  RECOVERED_NOT,     /* We are not root, or another recording is using tracing. */
} Recovered;

/* Takes the lock and restores what a killed recording left. @said tells in one line what was done, or why not. */
Recovered journal_recover (Rescue *rescue, char *said, size_t size);

/* Writes the content of @rescue, without the treatment.  */
bool journal_write (const Rescue *rescue);

/* Beside the journal: how the treatment that is about to begin is undone. */
bool journal_write_undoing (const Undoing *undoing);

/* It was undone, or cannot be. */
void journal_remove_undoing (void);

/* treatment.c: A treatment of the machine by two commands, one that begins it and one that ends it. They run as loads
 * do, with the rights of who requested the recording. That takes the privileges of a process that is not confined: the
 * one that started the supervisor runs them for it.
 *
 * It is undone whatever is killed: by that process, or, once all of the recorder's processes are gone, by a shell which
 * waits for that and starts culprit-recorder restore. If that is killed as well, the next recording undoes it. */

/* Before the supervisor is forked. */
bool treatment_open (void);

/* For the supervisor: takes its side, and the commands of @request, of which nothing is done yet. */
void treatment_attach (void);
void treatment_prepare (Rescue *rescue, const Request *request);

/* Begins the treatment, for which it may take half a minute. False after fail(), or because the recording is to stop;
 * it must be undone then as well. */
bool treatment_apply (Rescue *rescue);

/* Ends it if it has begun, in any process. A command is not tried twice. False after fail(). */
bool treatment_undo (Rescue *rescue);

/* For the first process: runs the commands of @supervisor, its first child, until that ends. */
void treatment_serve (Rescue *rescue, pid_t supervisor);

/* Once the supervisor is gone: undoes what it left, and ends the shell. */
bool treatment_end (Rescue *rescue);

/* In a child as for journal_close(): what undoes a treatment shall not wait for its end. */
void treatment_close (void);

/* Children that end with their parent, however that ends. */

/* To be called by a new child: when @parent ends, it receives the signal @number. The kernel does not send it if
 * @parent ended before we ask for it; in that case, exits. */
void lifeline_hold (pid_t parent, int number);

/* cyclic.c: The measurement: one thread per CPU waits for its next cycle, records when it woke up, and stops the trace
 * itself if that is a hit. It runs in a process of its own, which shares only the memory below with the supervisor. */

/* On CLOCK_MONOTONIC. */
typedef struct
{
  int64_t expected_ns;
  int64_t observed_ns;
} Sample;

#define RING_SAMPLES (1u << 18) /* four minutes at 1 ms, five seconds at 20 us */

/* A measuring thread. */
typedef struct
{
  _Alignas(64) atomic_ullong written; /* number of samples so far; the last RING_SAMPLES of them are kept */
  _Alignas(64) atomic_ullong drained; /* number of samples that the supervisor has taken */
  atomic_bool done;
  int cpu;
  pid_t tid;
  int64_t first_ns;    /* when its first wake-up is expected */
  int64_t end_ns;      /* Nothing is expected from then on; INT64_MAX: no limit. */
  int64_t page_faults; /* while measuring */
  char problem[256];   /* why it could not measure; empty: no problem */
  char note[256];      /* why what it measured is not what was requested; empty: it is */
  Sample ring[RING_SAMPLES];
} Lane;

typedef struct
{
  atomic_bool stop;      /* All threads are to end after their current cycle. */
  atomic_int hit;        /* The index of the lane that was hit, plus one; its last sample is the hit. */
  atomic_uint heartbeat; /* of the supervisor: see control_show_life() */
  int n_lanes;
  Lane lanes[];
} Shared;

/* What the threads are to do in this arm. */
typedef struct
{
  const Request *request;
  uint64_t cycles;  /* per thread; 0: until stopped */
  int64_t limit_ns; /* 0: no limit */
  bool trigger;     /* Stop at a hit... */
  bool traced;      /* ...and stop the trace as well. */
} Task;

/* Memory for the threads of @request; NULL if there is none. */
Shared *shared_new (const Request *request);
void shared_free (Shared *shared);

/* Prepares it for the next arm. */
void shared_reset (Shared *shared);

static inline const Sample *
lane_sample (const Lane *lane, uint64_t number)
{
  return &lane->ring[number & (RING_SAMPLES - 1)];
}

/* The measuring process. */
typedef struct
{
  pid_t pid;
  int done_fd;    /* Readable for each thread that is done; end of file when the process is gone. */
  int release_fd; /* Closed to let the threads end; until then they can be examined. */
} CyclicProcess;

/* Starts one.  */
bool cyclic_start (Shared *shared, const Task *task, CyclicProcess *process);

/* Lets the process end, by force if necessary, and waits for it; not if even that takes long. */
void cyclic_end (CyclicProcess *process);

/* Takes the samples of a measuring thread out of its ring, adds them up, and sends them packed, without loss. */

#define PACKED_SIZE (48 * 1024)

/* Sums over a run. */
typedef struct
{
  int64_t cycles;
  int64_t min_ns;
  int64_t max_ns;
  double sum_ns;
  int64_t hits;
  int64_t missed;
  int64_t late;
} Totals;

/* What was taken from one thread and not sent yet. */
typedef struct
{
  int64_t first_cycle; /* of the run on this CPU */
  int64_t first_expected_ns;
  int64_t last_expected_ns;
  int64_t cycles;
  size_t size;
  uint8_t bytes[PACKED_SIZE];
} Packed;

/* Stores the wake-up that a thread which is given up at @now_ns, and can store nothing any more, still waits for, if it
 * is late: as late as it is by then. */
void samples_add_awaited (Lane *lane, const Task *task, int64_t now_ns);

/* Takes all available samples; sends them when there are many, or the first was due some seconds ago. */
void samples_take (Lane *lane, const Request *request, int run, Packed *packed, Totals *totals);

/* Sends what is left; the next sample begins a new line. */
void samples_flush (const Lane *lane, int run, Packed *packed);

/* The ways in which a thread can wait for its next cycle. */

/* A thread's means of waiting. */
typedef struct
{
  Method method;
  clockid_t clock;
  int64_t period_ns;
  int64_t offset_ns;       /* from that clock to CLOCK_MONOTONIC, */
  int64_t offset_error_ns; /* within so much */
  timer_t timer;
  int fd;
  const atomic_uint *heartbeat; /* of the supervisor */
  unsigned heard;               /* how far it was */
  int64_t heard_ns;             /* when it was first so */
  int64_t looked_ns;            /* when this thread last looked */
} Waiter;

/* CLOCK_MONOTONIC. */
static inline int64_t
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static inline struct timespec
to_timespec (int64_t ns)
{
  return (struct timespec) { ns / 1000000000, ns % 1000000000 };
}

/* run.c: A run: cycles under one configuration, with or without tracing, and the captures of its hits. */

/* Measures what tracing costs on this machine, before relying on it. */

/* Measures some cycles with tracing, which must be set up, and reports the result. False: period or trigger make no
 * sense with tracing here and the request is to refuse that, or measuring failed. */
bool calibrate (Shared *shared, const Request *request);

/* The same with the probe of a request with delays. Measures cycles with it for a second, not delaying anything. False:
 * there are so many calls that the delays would take more time than is allowed. */
bool try_delays (Shared *shared, const Request *request);

/* Time taken by the machine itself, on the chosen CPUs. */
typedef struct
{
  int64_t smi;
  int64_t steal_ns;
} Taken;

Taken taken_read (const Request *request);

/* Members of a line: what was taken since @before. */
void taken_reply (const Request *request, const Taken *before);

/* The same: what triggers a hit, and what a capture has of the kernel, from @oldest_ns on. @window_ns: the window of
 * the hit, which ended at @observed_ns. */
void trigger_reply (const Request *request);
void buffer_reply (const Request *request, int64_t window_ns, int64_t observed_ns, int64_t oldest_ns);

/* The state of a recording, besides the request. */
typedef struct
{
  const Request *request;
  Rescue *rescue;
  Shared *shared;           /* of cycles */
  const Triggers *triggers; /* of windows of others */
  const char *folder;       /* for captures */
  int captures;             /* taken so far */
  int64_t delay_ns;         /* of the function, if the request has delays */
  bool treated;             /* if it has treatments */
  bool recovered;           /* It has tried to restore what a killed one left. */
  bool cut_short;           /* A run ended before its cycles. */
} Recording;

/* Whether a hit in a run is still to be captured. */
static inline bool
wants_captures (const Recording *recording, bool traced)
{
  return traced && recording->captures < recording->request->captures;
}

/* Measures run @number and reports everything about it. False: the recording cannot continue, after fail(). */
bool run_measure (Recording *recording, int number, bool traced);

/* watch.c: A run that measures windows of other tasks. */

/* As run_measure(). */
bool watch_measure (Recording *recording, int number, bool traced);

/* Tells if there is no such task yet. */
void watch_note_task (const Window *window);

/* supervise.c: A whole recording, from the checks to restoring the last setting. */

/* Does what the session requests. Returns the exit status. */
int supervise (Rescue *rescue);

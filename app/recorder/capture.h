/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes a capture out of the ring buffer and sends it. */
#pragma once

#include "request.h"

#define FOLDER_SIZE 64

/* The parent folder for captures, and how many bytes are free there; -1: there is none. */
int64_t capture_room (char parent[FOLDER_SIZE]);

/* Chooses a name for a folder for captures where there is space for one. False: @problem says what is missing. */
bool capture_choose_folder (const Request *request, char folder[FOLDER_SIZE], char *problem, size_t size);

/* Makes the folder chosen. False: @problem says why not, and there is no name any more. */
bool capture_make_folder (char folder[FOLDER_SIZE], char *problem, size_t size);

/* Has trace-cmd extract the ring buffer into @folder. */
bool capture_extract (const char *folder, char *problem, size_t size);

/* Sends what was extracted as capture @number, and removes it. */
bool capture_send (const char *folder, int number, char *problem, size_t size);

/* Removes the folder with its content. An empty name is no folder. */
void capture_remove_folder (char folder[FOLDER_SIZE]);

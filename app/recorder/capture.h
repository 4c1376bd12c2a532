/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes a capture out of the ring buffer and sends it. */
#pragma once

#include "request.h"

#define FOLDER_SIZE 64

/* Where captures are put, and how many bytes are free there; -1: nowhere. */
int64_t capture_room (char parent[FOLDER_SIZE]);

/* Makes a folder for captures and looks whether there is room for one. False: @problem says what is missing. */
bool capture_folder (const Request *request, char folder[FOLDER_SIZE], char *problem, size_t size);

/* Lets trace-cmd extract what the ring buffer holds into @folder. */
bool capture_extract (const char *folder, char *problem, size_t size);

/* Sends what was extracted as capture @number, and removes it. */
bool capture_send (const char *folder, int number, char *problem, size_t size);

/* Removes the folder with what may be in it. An empty name is none. */
void capture_remove_folder (char folder[FOLDER_SIZE]);

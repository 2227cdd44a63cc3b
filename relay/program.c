#define _GNU_SOURCE
#include "program.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#define MAX_FLAGS 16u

/* The folder that this executable is in. */
static int own_folder(char *path, size_t room) {
#ifdef __APPLE__
  char raw[MAX_PATH_BYTES], real[MAX_PATH_BYTES];
  uint32_t size = sizeof raw;
  if (_NSGetExecutablePath(raw, &size) != 0 || realpath(raw, real) == NULL || strlen(real) >= room) return 0;
  strcpy(path, real);
#else
  ssize_t size = readlink("/proc/self/exe", path, room - 1);
  if (size <= 0) return 0;
  path[size] = '\0';
#endif
  char *slash = strrchr(path, '/');
  if (slash == NULL) return 0;
  *slash = '\0';
  return 1;
}

static int join(char *path, const char *folder, const char *rest) {
  int length = snprintf(path, MAX_PATH_BYTES, "%s/%s", folder, rest);
  return length > 0 && length < MAX_PATH_BYTES;
}

/* Copies a line without its end. Returns what follows it, or NULL when there is no line or no room for it. */
static const char *copy_line(const char *from, char *to, size_t room) {
  const char *end = from == NULL ? NULL : strchr(from, '\n');
  if (end == NULL || (size_t)(end - from) >= room) return NULL;
  memcpy(to, from, (size_t)(end - from));
  to[end - from] = '\0';
  return end + 1;
}

/* Lines beside the relay, written when it was built or installed: Node, the file it runs, and its options. */
static int remembered(const char *folder, struct program *program) {
  char path[MAX_PATH_BYTES], text[2 * MAX_PATH_BYTES + MAX_FLAG_BYTES];
  if (!join(path, folder, "crosshook-relay.cold")) return 0;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char *rest = copy_line(copy_line(text, program->node, MAX_PATH_BYTES), program->main_file, MAX_PATH_BYTES);
  if (rest == NULL) return 0;
  if (copy_line(rest, program->flags, MAX_FLAG_BYTES) == NULL) program->flags[0] = '\0';
  return access(program->main_file, R_OK) == 0;
}

void find_program(struct program *program) {
  /* In this package; in a sibling package, as npm installs them; in a nested package, as npm --global does. */
  static const char *const layouts[] = {"../cli/main.cjs", "../../../crosshook/dist/cli/main.cjs", "../../../../dist/cli/main.cjs"};
  char folder[MAX_PATH_BYTES];
  if (!own_folder(folder, sizeof folder) || remembered(folder, program)) return;
  memset(program, 0, sizeof *program);
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    if (join(program->main_file, folder, layouts[i]) && access(program->main_file, R_OK) == 0) return;
    program->main_file[0] = '\0';
  }
}

void program_of(const struct entry *entry, struct program *program) {
  (void)snprintf(program->node, sizeof program->node, "%.*s", (int)entry->node.size, entry->node.at);
  (void)snprintf(program->main_file, sizeof program->main_file, "%.*s", (int)entry->main_file.size, entry->main_file.at);
  (void)snprintf(program->flags, sizeof program->flags, "%.*s", (int)entry->flags.size, entry->flags.at);
}

void start_node(struct program *program, int argc, char **argv, char **env) {
  extern char **environ;
  char **args = calloc((size_t)argc + MAX_FLAGS + 2, sizeof *args);
  if (args == NULL) return;
  size_t next = 1;
  for (char *flag = strtok(program->flags, "\t"); flag != NULL && next <= MAX_FLAGS; flag = strtok(NULL, "\t")) args[next++] = flag;
  args[next++] = program->main_file;
  for (int i = 1; i < argc; i++) args[next++] = argv[i];
  environ = env;
  args[0] = program->node;
  if (program->node[0] != '\0') execv(program->node, args);
  args[0] = (char *)"node";
  if (program->node[0] == '\0' || errno == ENOENT) execvp("node", args);
}

_Noreturn void become_node(int argc, char **argv) {
  extern char **environ;
  static struct program program;
  find_program(&program);
  /* Nobody would see here that Node refuses an option. */
  program.flags[0] = '\0';
  if (program.main_file[0] != '\0' && setenv("CROSSHOOK_RELAY", "other", 1) == 0) start_node(&program, argc, argv, environ);
  fprintf(stderr, "crosshook-relay: %s. Install crosshook anew.\n",
          program.main_file[0] == '\0' ? "crosshook is not beside it" : "node cannot be started");
  exit(1);
}

/*
 * crosshook-relay.exe hook AGENT [EVENT] [--entry=FILE] [--fail=open | --fail=tell]
 *
 * The relay of relay.c for Windows, with named pipes instead of Unix sockets. When no engine answers, Node runs main.cjs
 * as a child on the same input; its answer is a frame on a pipe. When that does not answer either, the call is refused
 * by exit code 2 with the reason on stderr. The entry file is not read here yet.
 */

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include "answer.h"

#ifndef CROSSHOOK_VERSION
#define CROSSHOOK_VERSION "0"
#endif

#define MAX_PAYLOAD ((size_t)64 * 1024 * 1024)
#define MAX_STDIN_BYTES ((size_t)256 * 1024 * 1024) /* the limit of the cold path */
#define MAX_ENV ((size_t)8 * 1024 * 1024)
#define MAX_WRITE ((size_t)1024 * 1024)
#define MAX_PATH_CHARS 4096
#define MAX_COMMAND_CHARS 32767
#define MAX_PIPE_NAME_CHARS 256
#define CONNECT_MS 500
#ifndef FIRST_BYTE_MS /* tests set shorter times */
#define FIRST_BYTE_MS 5000 /* the engine sends a heartbeat every second while its hooks run */
#define NEXT_BYTE_MS 15000
#endif
#define TOTAL_SECONDS 600
#define REQUEST_HEAD_SIZE 52u
#define REFUSED 2

static int may_go_on; /* the entry says that a failure of crosshook refuses nothing */

static _Noreturn void give_up(const char *what, const wchar_t *why) {
  fprintf(stderr,
          "crosshook cannot check this: %s (%ls). Run `crosshook doctor` to see what is broken and `crosshook install` to repair it; "
          "`crosshook uninstall` takes crosshook out.\n",
          what, why);
  ExitProcess(may_go_on ? 1 : REFUSED);
}

/* Appends the text as UTF-8, with a zero byte after it when `closed`, and sets `added` to the size. */
static int add_text(struct bytes *bytes, const wchar_t *text, int length, int closed, size_t *added) {
  int size = length == 0 ? 0 : WideCharToMultiByte(CP_UTF8, 0, text, length, NULL, 0, NULL, NULL);
  if (size < 0 || (size == 0 && length > 0) || !reserve(bytes, (size_t)size + 1)) return 0;
  if (size > 0) WideCharToMultiByte(CP_UTF8, 0, text, length, (char *)bytes->at + bytes->size, size, NULL, NULL);
  bytes->size += (size_t)size;
  if (closed) bytes->at[bytes->size++] = 0;
  *added = (size_t)size + (closed ? 1 : 0);
  return 1;
}

static int write_all(HANDLE file, const uint8_t *at, size_t size) {
  while (size > 0) {
    DWORD written = 0;
    if (!WriteFile(file, at, (DWORD)(size < MAX_WRITE ? size : MAX_WRITE), &written, NULL)) return 0;
    at += written;
    size -= written;
  }
  return 1;
}

/* An answer that could not be written is a failure. */
static _Noreturn void print_answer(const struct answer *answer) {
  if (!write_all(GetStdHandle(STD_OUTPUT_HANDLE), answer->out, answer->out_size) ||
      !write_all(GetStdHandle(STD_ERROR_HANDLE), answer->err, answer->err_size))
    give_up("its answer could not be written to the agent", L"closed");
  ExitProcess((UINT)answer->exit_code);
}

/* ---- the cold path ---- */

/* After its answer Node may still log and start an engine. The agent waits at most this long for it. */
#define AFTER_ANSWER_MS 2000

static int exists(const wchar_t *path) {
  DWORD kind = GetFileAttributesW(path);
  return kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

static int join(wchar_t *path, const wchar_t *folder, const wchar_t *rest) {
  int length = _snwprintf(path, MAX_PATH_CHARS, L"%ls\\%ls", folder, rest);
  return length > 0 && length < MAX_PATH_CHARS;
}

/* Two lines beside the program, written when it was installed: Node, and the file it runs. */
static int remembered(const wchar_t *folder, wchar_t *node, wchar_t *main_file) {
  wchar_t path[MAX_PATH_CHARS], *lines[] = {node, main_file};
  static char text[6 * MAX_PATH_CHARS];
  DWORD size = 0;
  if (!join(path, folder, L"crosshook-relay.cold")) return 0;
  HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
  if (file == INVALID_HANDLE_VALUE) return 0;
  BOOL is_read = ReadFile(file, text, sizeof text - 1, &size, NULL);
  CloseHandle(file);
  if (!is_read) return 0;
  text[size] = '\0';
  char *at = text;
  for (int i = 0; i < 2; i++) {
    char *end = strchr(at, '\n');
    if (end == NULL) return 0;
    int length = (int)(end - at);
    if (length > 0 && at[length - 1] == '\r') length--;
    int wide = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, at, length, lines[i], MAX_PATH_CHARS - 1);
    if (wide <= 0) return 0;
    lines[i][wide] = L'\0';
    at = end + 1;
  }
  return exists(main_file);
}

/* What follows the program's own name on the command line, as it was written. */
static const wchar_t *own_arguments(void) {
  const wchar_t *at = GetCommandLineW();
  int quoted = 0;
  for (; *at != L'\0' && (quoted || (*at != L' ' && *at != L'\t')); at++)
    if (*at == L'"') quoted = !quoted;
  return at;
}

/* Does not return. `input` is what was read of stdin, or NULL when nothing was. */
static _Noreturn void run_cold(const struct bytes *input, const wchar_t *why) {
  /* In this package; in a sibling package, as npm installs them; in a nested package, as npm --global does. */
  static const wchar_t *const layouts[] = {L"..\\cli\\main.cjs", L"..\\..\\..\\crosshook\\dist\\cli\\main.cjs", L"..\\..\\..\\..\\dist\\cli\\main.cjs"};
  static wchar_t folder[MAX_PATH_CHARS], main_file[MAX_PATH_CHARS], node[MAX_PATH_CHARS], command[MAX_COMMAND_CHARS], search[MAX_COMMAND_CHARS];
  DWORD length = GetModuleFileNameW(NULL, folder, MAX_PATH_CHARS);
  wchar_t *slash = length > 0 && length < MAX_PATH_CHARS ? wcsrchr(folder, L'\\') : NULL;
  if (slash != NULL) {
    *slash = L'\0';
    if (!remembered(folder, node, main_file)) {
      node[0] = main_file[0] = L'\0';
      for (size_t i = 0; i < sizeof layouts / sizeof *layouts && main_file[0] == L'\0'; i++)
        if (!join(main_file, folder, layouts[i]) || !exists(main_file)) main_file[0] = L'\0';
    }
  }
  /* PATH is searched explicitly: by default Windows looks into the current folder, the project, first. */
  if ((node[0] == L'\0' || !exists(node)) && GetEnvironmentVariableW(L"PATH", search, MAX_COMMAND_CHARS) > 0 &&
      SearchPathW(search, L"node.exe", NULL, MAX_PATH_CHARS, node, NULL) == 0)
    node[0] = L'\0';
  int size = _snwprintf(command, MAX_COMMAND_CHARS, L"\"%ls\" \"%ls\"%ls", node, main_file, own_arguments());
  PROCESS_INFORMATION child;
  STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
  HANDLE from = GetStdHandle(STD_INPUT_HANDLE), to = NULL, answered = NULL, writes = NULL;
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
  int ready = node[0] != L'\0' && main_file[0] != L'\0' && size > 0 && size < MAX_COMMAND_CHARS &&
              SetEnvironmentVariableW(L"CROSSHOOK_RELAY", why) && SetEnvironmentVariableW(L"CROSSHOOK_ANSWER", L"frame");
  ready = ready && CreatePipe(&answered, &writes, &inherited, 0) && SetHandleInformation(answered, HANDLE_FLAG_INHERIT, 0);
  if (ready && input != NULL)
    ready = CreatePipe(&from, &to, &inherited, 0) && SetHandleInformation(to, HANDLE_FLAG_INHERIT, 0);
  start.hStdInput = from;
  start.hStdOutput = writes;
  start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  SetHandleInformation(start.hStdInput, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  SetHandleInformation(start.hStdError, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  if (!ready || !CreateProcessW(node, command, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child))
    give_up(main_file[0] == L'\0' ? "the program main.cjs was not found near the relay" : "node cannot be started", why);
  CloseHandle(writes);
  if (input != NULL) {
    CloseHandle(from);
    (void)write_all(to, input->at, input->size); /* a child may end without reading its input: its answer counts */
    CloseHandle(to);
  }
  static struct bytes received;
  struct answer answer = {0};
  for (DWORD got = 1; got > 0;) {
    if (!reserve(&received, 65536)) break;
    if (!ReadFile(answered, received.at + received.size, 65536, &got, NULL)) break;
    received.size += got;
    if (parse_answer(received.at, received.size, &answer) != NEEDS_MORE) break;
  }
  if (parse_answer(received.at, received.size, &answer) != WHOLE || answer.status != ANSWERED)
    give_up("its program ended without an answer", why);
  WaitForSingleObject(child.hProcess, AFTER_ANSWER_MS);
  print_answer(&answer);
}

/* ---- the engine ---- */

static int is_absolute(const wchar_t *path) {
  if (path[0] == L'\\' || path[0] == L'/') return 1;
  return path[0] != L'\0' && path[1] == L':' && (path[2] == L'\\' || path[2] == L'/');
}

static int get_variable(const wchar_t *name, wchar_t *value) {
  DWORD length = GetEnvironmentVariableW(name, value, MAX_PATH_CHARS);
  return length > 0 && length < MAX_PATH_CHARS;
}

BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG size); /* RtlGenRandom */

/* The key in the state folder, by which the engine authenticates its answers. */
static int read_key(uint8_t *key) {
  static wchar_t folder[MAX_PATH_CHARS], path[MAX_PATH_CHARS];
  uint8_t bytes[MAC_SIZE + 1];
  DWORD size = 0;
  const wchar_t *rest = L"";
  if (!(get_variable(L"XDG_STATE_HOME", folder) && is_absolute(folder))) {
    rest = L"/.local/state";
    if (!get_variable(L"HOME", folder) && !get_variable(L"USERPROFILE", folder)) return 0;
  }
  int length = _snwprintf(path, MAX_PATH_CHARS, L"%ls%ls/crosshook/state.key", folder, rest);
  if (length <= 0 || length >= MAX_PATH_CHARS) return 0;
  HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
  if (file == INVALID_HANDLE_VALUE) return 0;
  BOOL is_read = ReadFile(file, bytes, sizeof bytes, &size, NULL);
  CloseHandle(file);
  if (!is_read || size != MAC_SIZE) return 0;
  memcpy(key, bytes, MAC_SIZE);
  return 1;
}

/* The pipe's name as src/host/relay/place.ts makes it: from the folder that has the socket on other systems, with slashes. */
static int pipe_name(wchar_t *name) {
  static wchar_t folder[MAX_PATH_CHARS];
  const wchar_t *rest = L"";
  if (!(get_variable(L"XDG_RUNTIME_DIR", folder) && is_absolute(folder)) &&
      !(get_variable(L"XDG_STATE_HOME", folder) && is_absolute(folder))) {
    rest = L"/.local/state";
    if (!get_variable(L"HOME", folder) && !get_variable(L"USERPROFILE", folder)) return 0;
  }
  size_t length = wcslen(folder);
  for (size_t i = 0; i < length; i++)
    if (folder[i] == L'\\') folder[i] = L'/';
  while (length > 0 && folder[length - 1] == L'/') folder[--length] = L'\0';
  int size = _snwprintf(name, MAX_PIPE_NAME_CHARS, L"\\\\.\\pipe\\crosshook:%ls%ls/crosshook", folder, rest);
  return size > 0 && size < MAX_PIPE_NAME_CHARS;
}

static TOKEN_USER *user_of(HANDLE process) {
  HANDLE token;
  DWORD size = 0;
  if (!OpenProcessToken(process, TOKEN_QUERY, &token)) return NULL;
  GetTokenInformation(token, TokenUser, NULL, 0, &size);
  TOKEN_USER *user = malloc(size > 0 ? size : 1);
  if (user != NULL && !GetTokenInformation(token, TokenUser, user, size, &size)) {
    free(user);
    user = NULL;
  }
  CloseHandle(token);
  return user;
}

/* Does a process of the same user serve the pipe? */
static int is_ours(HANDLE engine) {
  ULONG id = 0;
  if (!GetNamedPipeServerProcessId(engine, &id)) return 0;
  HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, id);
  if (process == NULL) return 0;
  TOKEN_USER *theirs = user_of(process), *ours = user_of(GetCurrentProcess());
  int same = theirs != NULL && ours != NULL && EqualSid(theirs->User.Sid, ours->User.Sid);
  free(theirs);
  free(ours);
  CloseHandle(process);
  return same;
}

/* Connects to an engine of this user. Returns INVALID_HANDLE_VALUE with the reason on failure. */
static HANDLE reach_engine(const wchar_t **why) {
  wchar_t name[MAX_PIPE_NAME_CHARS];
  *why = L"unreachable";
  if (!pipe_name(name)) return INVALID_HANDLE_VALUE;
  ULONGLONG end = GetTickCount64() + CONNECT_MS;
  for (;;) {
    /* The server may identify this user, not impersonate it. */
    HANDLE engine = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                                FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, NULL);
    if (engine != INVALID_HANDLE_VALUE) {
      *why = L"foreign";
      if (is_ours(engine)) return engine;
      CloseHandle(engine);
      return INVALID_HANDLE_VALUE;
    }
    DWORD error = GetLastError();
    *why = error == ERROR_ACCESS_DENIED ? L"foreign" : error == ERROR_PIPE_BUSY ? L"busy" : L"absent";
    if (error != ERROR_PIPE_BUSY || GetTickCount64() > end) return INVALID_HANDLE_VALUE;
    WaitNamedPipeW(name, CONNECT_MS);
  }
}

/* The number of bytes read or written before the deadline; -1 when the other side has closed or the time is over. */
static long transfer(HANDLE engine, int is_write, uint8_t *at, size_t size, ULONGLONG deadline) {
  DWORD done = 0, most = (DWORD)(size < MAX_WRITE ? size : MAX_WRITE);
  OVERLAPPED overlapped = {.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL)};
  if (overlapped.hEvent == NULL) return -1;
  BOOL went = is_write ? WriteFile(engine, at, most, NULL, &overlapped) : ReadFile(engine, at, most, NULL, &overlapped);
  if (went || GetLastError() == ERROR_IO_PENDING) {
    ULONGLONG now = GetTickCount64();
    if (WaitForSingleObject(overlapped.hEvent, now < deadline ? (DWORD)(deadline - now) : 0) != WAIT_OBJECT_0) CancelIo(engine);
    went = GetOverlappedResult(engine, &overlapped, &done, TRUE);
  }
  CloseHandle(overlapped.hEvent);
  return went && done > 0 ? (long)done : -1;
}

/* Sends the parts, then reads the answer. The engine reads the whole request, even when it declines it. */
static enum parsed exchange(HANDLE engine, const struct bytes *parts, int count, struct bytes *received, struct answer *answer) {
  wchar_t given[16];
  long seconds = GetEnvironmentVariableW(L"CROSSHOOK_RELAY_SECONDS", given, 16) > 0 ? wcstol(given, NULL, 10) : 0;
  ULONGLONG end = GetTickCount64() + 1000 * (ULONGLONG)(seconds > 0 && seconds < 86400 ? seconds : TOTAL_SECONDS);
  for (int i = 0; i < count; i++)
    for (size_t sent = 0; sent < parts[i].size;) {
      ULONGLONG limit = GetTickCount64() + FIRST_BYTE_MS;
      long step = transfer(engine, 1, parts[i].at + sent, parts[i].size - sent, limit < end ? limit : end);
      /* The engine may have declined and closed before all was sent: its answer still counts. */
      if (step < 0) {
        i = count;
        break;
      }
      sent += (size_t)step;
    }
  for (;;) {
    if (!reserve(received, answer->size > received->size ? answer->size - received->size + 1 : 4096)) return BROKEN;
    ULONGLONG limit = GetTickCount64() + (received->size > 0 ? NEXT_BYTE_MS : FIRST_BYTE_MS);
    long got = transfer(engine, 0, received->at + received->size, received->room - received->size, limit < end ? limit : end);
    if (got < 0) return BROKEN;
    received->size += (size_t)got;
    enum parsed parsed = parse_answer(received->at, received->size, answer);
    if (parsed != NEEDS_MORE) return parsed;
  }
}

static int read_stdin(struct bytes *input) {
  HANDLE from = GetStdHandle(STD_INPUT_HANDLE);
  if (from == NULL || from == INVALID_HANDLE_VALUE) return 1;
  for (;;) {
    DWORD got = 0;
    if (!reserve(input, 65536)) return 0;
    size_t room = input->room - input->size;
    if (!ReadFile(from, input->at + input->size, (DWORD)(room < MAX_WRITE ? room : MAX_WRITE), &got, NULL))
      return GetLastError() == ERROR_BROKEN_PIPE || GetLastError() == ERROR_HANDLE_EOF;
    if (got == 0) return 1;
    input->size += got;
    if (input->size > MAX_STDIN_BYTES) return 1;
  }
}

/* Names in upper case: Windows ignores the case of names, the engine does not. */
static int add_environment(struct bytes *env) {
  wchar_t *all = GetEnvironmentStringsW();
  int fits = all != NULL;
  for (wchar_t *each = all; fits && *each != L'\0'; each += wcslen(each) + 1) {
    size_t added;
    for (wchar_t *at = each; *at != L'\0' && *at != L'='; at++)
      if (*at >= L'a' && *at <= L'z') *at = (wchar_t)(*at - L'a' + L'A');
    fits = env->size < MAX_ENV && (*each == L'=' || add_text(env, each, (int)wcslen(each), 1, &added));
  }
  return fits;
}

/* The head and everything before the payload. */
static int make_request(struct bytes *request, const char *agent, const char *event, const uint8_t *challenge, size_t payload) {
  static wchar_t cwd[MAX_COMMAND_CHARS];
  uint8_t head[REQUEST_HEAD_SIZE] = {'X', 'H', 'R', 'Q', PROTOCOL_VERSION};
  const char *texts[] = {CROSSHOOK_VERSION, agent, event};
  struct bytes env = {0};
  size_t size;
  DWORD length = GetCurrentDirectoryW(MAX_COMMAND_CHARS, cwd);
  if (length == 0 || length >= MAX_COMMAND_CHARS || !add_environment(&env) || !append(request, head, sizeof head)) return 0;
  for (int i = 0; i < 3; i++) {
    put32(head + 8 + 4 * i, strlen(texts[i]));
    if (!append(request, texts[i], strlen(texts[i]))) return 0;
  }
  if (!add_text(request, cwd, (int)length, 0, &size)) return 0;
  put32(head + 20, size);
  put32(head + 24, env.size);
  put32(head + 28, payload);
  memcpy(head + 32, challenge, CHALLENGE_SIZE);
  if (!append(request, env.at, env.size)) return 0;
  memcpy(request->at, head, sizeof head);
  free(env.at);
  return 1;
}

/* False for options, and for characters that the code page may have changed: the cold path handles these. */
static int is_plain_call(int argc, char **argv, const char **agent, const char **event) {
  *agent = *event = NULL;
  if (argc < 3 || strcmp(argv[1], "hook") != 0) return 0;
  for (int i = 2; i < argc; i++) {
    if (strncmp(argv[i], "--fail=", 7) == 0) may_go_on = 1;
    if (strncmp(argv[i], "--fail=", 7) == 0 || strncmp(argv[i], "--entry=", 8) == 0) continue;
    if (argv[i][0] == '-' || *event != NULL) return 0;
    for (const char *at = argv[i]; *at != '\0'; at++)
      if ((unsigned char)*at > 126 || *at == '?') return 0;
    *(*agent == NULL ? agent : event) = argv[i];
  }
  if (*event == NULL) *event = "";
  return *agent != NULL;
}

static int is_one(const wchar_t *name) {
  wchar_t value[4];
  return GetEnvironmentVariableW(name, value, 4) == 1 && value[0] == L'1';
}

int main(int argc, char **argv) {
  const wchar_t *why = L"other";
  const char *agent, *event;
  uint8_t key[MAC_SIZE], challenge[CHALLENGE_SIZE];
  ULONG server = 0;
  if (!is_plain_call(argc, argv, &agent, &event) || is_one(L"CROSSHOOK_NO_DAEMON") || is_one(L"CROSSHOOK_DEBUG")) run_cold(NULL, why);
  HANDLE engine = reach_engine(&why);
  if (engine == INVALID_HANDLE_VALUE) run_cold(NULL, why);
  if (!read_key(key) || !SystemFunction036(challenge, CHALLENGE_SIZE) || !GetNamedPipeServerProcessId(engine, &server)) {
    CloseHandle(engine);
    run_cold(NULL, L"unproven");
  }
  struct bytes input = {0}, request = {0}, received = {0};
  struct answer answer = {0};
  if (!read_stdin(&input)) give_up("the input from the agent cannot be read", L"stdin");
  enum parsed parsed = BROKEN;
  why = L"other";
  if (input.size <= MAX_PAYLOAD && make_request(&request, agent, event, challenge, input.size)) {
    struct bytes parts[] = {request, input};
    parsed = exchange(engine, parts, 2, &received, &answer);
    why = parsed != WHOLE ? L"silent" : answer.status == LEAVING ? L"leaving" : L"declined";
    if (parsed == WHOLE && !is_proven(&answer, key, challenge, (uint32_t)server)) {
      parsed = BROKEN;
      why = L"unproven";
    }
  }
  CloseHandle(engine);
  if (parsed != WHOLE || answer.status != ANSWERED) run_cold(&input, why);
  print_answer(&answer);
}

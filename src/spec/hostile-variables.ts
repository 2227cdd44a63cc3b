/**
 * Variables that make a loader, an interpreter or a tool run code of somebody's choice, or choose which program that
 * is. An agent may have read them from a file of the project, and then the project would decide what a guard does.
 * Hooks do not inherit them; `pass_env` in the settings names exceptions, and a script may set one itself. Installed
 * entries unset those that act on crosshook's own processes before anything is started.
 */

interface Family {
  names?: string
  /** Every variable with one of these prefixes counts. */
  prefixes?: string
}

/** Act on the loader, the shell or Node, and so on crosshook itself. */
const OWN: readonly Family[] = [
  {
    names: 'GCONV_PATH GLIBC_TUNABLES HOSTALIASES RES_OPTIONS LOCALDOMAIN RESOLV_HOST_CONF LOCPATH NLSPATH',
    prefixes: 'LD_ DYLD_ MALLOC_',
  },
  // `BASH_FUNC_` are exported functions: they take the place of programs of that name.
  {
    names: `BASH_ENV ENV SHELLOPTS BASHOPTS BASH_LOADABLES_PATH BASH_XTRACEFD BASH_COMPAT POSIXLY_CORRECT PS4
      PROMPT_COMMAND CDPATH GLOBIGNORE EXECIGNORE ZDOTDIR FPATH IFS`,
    prefixes: 'BASH_FUNC_',
  },
  {
    names: `NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_V8_COVERAGE
      NODE_REDIRECT_WARNINGS NODE_COMPILE_CACHE NODE_COMPILE_CACHE_PORTABLE NODE_ICU_DATA NODE_REPL_EXTERNAL_MODULE
      NODE_REPL_HISTORY NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE NODE_UNIQUE_ID NODE_PRESERVE_SYMLINKS
      NODE_PRESERVE_SYMLINKS_MAIN NODE_DEBUG NODE_DEBUG_NATIVE NODE_PENDING_DEPRECATION NODE_USE_ENV_PROXY
      NODE_USE_SYSTEM_CA NODE_TEST_CONTEXT UV_THREADPOOL_SIZE UV_USE_IO_URING ELECTRON_RUN_AS_NODE`,
  },
  { names: 'SSLKEYLOGFILE', prefixes: 'OPENSSL_' },
  { prefixes: 'PYTHON GIT_CONFIG' },
]

/** Act on programs that hooks start. */
const OTHERS: readonly Family[] = [
  // JavaScript beside Node, and what installs it.
  {
    names: 'ESBUILD_BINARY_PATH',
    prefixes: 'BUN_ DENO_ TS_NODE_ TSX_ NPM_CONFIG_ npm_config_ PNPM_ YARN_ COREPACK_',
  },
  // Python’s tools.
  { names: 'MYPYPATH IPYTHONDIR COVERAGE_PROCESS_START', prefixes: 'PIP_ UV_ PYTEST_ PYENV_ PIPX_ POETRY_' },
  { prefixes: 'PERL RUBY GEM_ BUNDLE_ BUNDLER_ LUA_' },
  { names: 'RAKEOPT IRBRC JRUBY_OPTS PHPRC COMPOSER_HOME', prefixes: 'PHP_' },
  {
    names: `JAVA_HOME JAVA_TOOL_OPTIONS JAVA_OPTS JDK_JAVA_OPTIONS JDK_JAVAC_OPTIONS _JAVA_OPTIONS CLASSPATH MAVEN_OPTS
      MAVEN_ARGS M2_HOME GRADLE_OPTS GRADLE_HOME GRADLE_USER_HOME ANT_OPTS ANT_ARGS SBT_OPTS GROOVY_TURN_OFF_JAVA_WARNINGS`,
  },
  { prefixes: 'DOTNET_ CORECLR_ COMPlus_ COR_ MONO_ POWERSHELL_' },
  { names: 'PSModulePath' },
  {
    names: 'GOFLAGS GOROOT GOPATH GOENV GOTOOLCHAIN GOTOOLDIR GOPROXY GODEBUG GOEXPERIMENT',
    prefixes: 'CGO_',
  },
  { names: 'RUSTC RUSTDOC RUSTFLAGS RUSTDOCFLAGS', prefixes: 'CARGO_ RUSTC_ RUSTUP_' },
  { names: 'TCLLIBPATH TCL_LIBRARY TK_LIBRARY OCAMLLIB OCAMLRUNPARAM CAML_LD_LIBRARY_PATH GHCRTS' },
  { names: 'PLTCOLLECTS PLTADDONDIR ELIXIR_ERL_OPTIONS', prefixes: 'R_ JULIA_ ERL_ GUILE_ OCTAVE_ GHC_' },
  { names: 'AWKPATH AWKLIBPATH M4PATH EMACSLOADPATH VIMINIT GVIMINIT EXINIT MYVIMRC VIMRUNTIME' },
  // Programs that other programs open.
  {
    names: `PAGER MANPAGER SYSTEMD_PAGER BAT_PAGER EDITOR VISUAL SUDO_EDITOR FCEDIT BROWSER SSH_ASKPASS SUDO_ASKPASS
      LESSOPEN LESSCLOSE LESSKEY LESSKEYIN LESSEDIT`,
  },
  // Options that name a program, or a file of options that may name one.
  {
    names: `TAR_OPTIONS GREP_OPTIONS RIPGREP_CONFIG_PATH FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS FZF_DEFAULT_OPTS_FILE
      BC_ENV_ARGS RSYNC_RSH RSYNC_CONNECT_PROG CVS_RSH SVN_SSH HG HGRCPATH HGEDITOR HGMERGE WGETRC SYSTEM_WGETRC CURL_HOME
      GNUPGHOME MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES GCC_EXEC_PREFIX COMPILER_PATH PSQLRC TF_CLI_CONFIG_FILE
      TF_REATTACH_PROVIDERS`,
    prefixes: 'GIT_ ANSIBLE_ CCACHE_ CMAKE_',
  },
  // Plugins of libraries.
  {
    names: `GTK_PATH GTK_MODULES GTK_EXE_PREFIX GIO_EXTRA_MODULES GIO_MODULE_DIR GDK_PIXBUF_MODULE_FILE GST_PLUGIN_PATH
      QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH LIBGL_DRIVERS_PATH ALSA_CONFIG_PATH SASL_PATH KRB5_CONFIG GSS_MECH_CONFIG
      ODBCSYSINI ODBCINSTINI`,
  },
]

/** Match a prefix above but only set a name, a date or a style. */
const HARMLESS = /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT|OPTIONAL_LOCKS)$/

interface Words {
  names: readonly string[]
  prefixes: readonly string[]
}

/** Unset by installed entries. */
export const unsetByEntries = once(() => wordsOf(OWN))
/** Not inherited by hooks, beside those. */
export const unsetForHooks = once(() => wordsOf(OTHERS))

const table = once(() => {
  const names = new Set([...unsetByEntries().names, ...unsetForHooks().names])
  const prefixes = [...unsetByEntries().prefixes, ...unsetForHooks().prefixes]
  /** Their first letters: rules most variables out quickly. */
  const first = new Set(prefixes.map((prefix) => prefix[0]))
  return { names, prefixes, first }
})

export function isHostile(name: string): boolean {
  const { names, prefixes, first } = table()
  if (names.has(name)) return true
  return first.has(name[0]) && prefixes.some((prefix) => name.startsWith(prefix)) && !HARMLESS.test(name)
}

function wordsOf(families: readonly Family[]): Words {
  const words = (kind: keyof Family) => families.flatMap((family) => family[kind]?.split(/\s+/) ?? [])
  return { names: words('names'), prefixes: words('prefixes') }
}

/** Made when it is asked for: most calls of an agent start no program. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/**
 * Variables that make an interpreter, a loader, git or another tool run code of somebody's choice. An agent may have
 * taken them from a file of the project it works in, and then they would decide what a guard does. Hooks do not inherit
 * them, and installed entries take them away before anything is started. A hook that needs one names it in its own `env`.
 */
export const HOSTILE_NAMES = [
    ...[
        'BASH_ENV',
        'ENV',
        'SHELLOPTS',
        'BASHOPTS',
        'PS4',
        'PROMPT_COMMAND',
        'CDPATH',
        'GLOBIGNORE',
        'ZDOTDIR',
        'IFS',
    ],
    ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'NODE_V8_COVERAGE'],
    ...['NODE_REDIRECT_WARNINGS', 'NODE_COMPILE_CACHE', 'NODE_ICU_DATA', 'NODE_REPL_EXTERNAL_MODULE'],
    ...[
        'BUN_OPTIONS',
        'BUN_INSPECT_PRELOAD',
        'DENO_DIR',
        'TS_NODE_PROJECT',
        'TSX_TSCONFIG_PATH',
        'UV_THREADPOOL_SIZE',
    ],
    ...[
        'PERL5OPT',
        'PERL5LIB',
        'PERL5DB',
        'PERLLIB',
        'RUBYOPT',
        'RUBYLIB',
        'LUA_INIT',
        'LUA_PATH',
        'LUA_CPATH',
    ],
    ...['PHPRC', 'PHP_INI_SCAN_DIR', 'JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', '_JAVA_OPTIONS', 'CLASSPATH'],
    ...['DOTNET_STARTUP_HOOKS', 'GCONV_PATH', 'GLIBC_TUNABLES', 'HOSTALIASES', 'RES_OPTIONS', 'LOCALDOMAIN'],
    ...[
        'OPENSSL_CONF',
        'OPENSSL_MODULES',
        'OPENSSL_ENGINES',
        'SSLKEYLOGFILE',
        'TCLLIBPATH',
        'R_PROFILE',
        'R_PROFILE_USER',
    ],
    ...['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'GIT_PAGER', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR'],
    ...['GIT_EXTERNAL_DIFF', 'GIT_PROXY_COMMAND', 'GIT_EXEC_PATH', 'GIT_TEMPLATE_DIR'],
];
/** `BASH_FUNC_` are exported functions: they take the place of programs of that name. */
export const HOSTILE_PREFIXES = [
    ...['LD_', 'DYLD_', 'BASH_FUNC_', 'PYTHON', 'GIT_CONFIG', 'LUA_INIT_', 'LUA_PATH_', 'LUA_CPATH_'],
];
const NAMES = new Set(HOSTILE_NAMES);
export function isHostile(name) {
    return NAMES.has(name) || HOSTILE_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** What docs/reliability.md says before its tables. */

export const REPORT_HEAD = `# What happens when something fails

Made by \`npm run check:silence\`, which causes every fault below at each entry point: the installed entry of Claude Code with
and without a warm engine, the daemon's HTTP and gRPC, and the library. Do not edit.

- **A hook fails**: \`on_failure: closed\` blocks. \`open\` goes on, and the agent and the journal are told.
- **crosshook cannot run**: the relay refuses events that can be denied, with a message that says what is broken and how to
  fix it. Only a complete answer on its pipe counts; an exit code does not. With \`crosshook install --fail open\` such
  calls go on instead (\`--fail=open\` in the entries). A stop is never refused this way: that would keep an agent working.
- **In time**: each entry knows how long its agent waits; the relay answers before that.

What the cells mean: **blocked**: the call was denied. **went on, told**: an open guard failed; the agent was told and
the journal has it as failed, not as allowed. **error**: a caller of the daemon or the library got an error and no
decision, and knows it. **open guard told**: as went on, told, beside other guards that blocked. Under a fault of crosshook
or the machine three guards are asked: one with a fixed answer, a closed and an open one with a script; under a clock that
jumps also one whose answer is kept for a minute. Every cell also checks that the answer came in time, that no program of
a hook still runs, that no file is left in the temporary folder or half written in the state folder, and that each answer
of a hook is in the journal (where the state folder can be written and a file be opened). What never ran because crosshook could not run
is not in the journal: the relay tells the agent.

## Which environment variables are used

An installed entry names a file (\`--entry=FILE\`) with the program, the state folder and these variables as they were when
\`crosshook install\` ran: \`HOME\`, \`PATH\`, \`XDG_CONFIG_HOME\`, \`XDG_STATE_HOME\`, \`XDG_CACHE_HOME\`, \`XDG_DATA_HOME\`,
\`XDG_RUNTIME_DIR\`, \`CROSSHOOK_MANAGED_DIR\`, \`CROSSHOOK_TRUST\`, \`CROSSHOOK_NO_DAEMON\`, \`CROSSHOOK_DEBUG\`,
\`NODE_EXTRA_CA_CERTS\`, \`SSL_CERT_FILE\`, \`SSL_CERT_DIR\`. Run it again to change one. Of the agent's environment
\`CROSSHOOK_*\` (but \`CROSSHOOK_DEPTH\`), \`XDG_*\`, and what makes loaders, shells, interpreters and git run other code
(\`LD_*\`, \`NODE_OPTIONS\`, \`PYTHON*\`, \`BASH_ENV\`, … see \`src/spec/hostile-variables.ts\`) is taken away before anything is
started. What makes other programs run such code (\`PERL5OPT\`, \`JAVA_TOOL_OPTIONS\`, \`GIT_SSH\`, …) does not reach hooks;
docs/reference/environment.md has the whole list and how to pass one on. Everything else does. An agent that starts entries through \`bash -c\` has its shell read \`BASH_ENV\`
before crosshook is there; Claude Code's entries are started without a shell.

`

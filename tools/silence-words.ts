/** What docs/reliability.md says before its tables. */

export const REPORT_HEAD = `# What happens when something fails

Made by \`npm run check:silence\`, which plays every fault below through the installed entry of Claude Code (and, for faults
of a hook, through the daemon's HTTP door and the library): do not edit.

- **A hook fails**: \`on_failure: closed\` blocks. \`open\` goes on, and the agent and the journal are told.
- **crosshook cannot run**: the relay refuses events that can be denied, with a sentence that says what is broken and how to
  mend it. Only a whole answer on its own pipe counts; an exit code does not. \`crosshook install --fail open\` writes the
  other choice into the entries (\`--fail=open\`). A stop is never refused this way: that would keep an agent working.
- **In time**: each entry knows how long its agent waits; the relay answers before that.

Not played here: gRPC; a full or read-only state folder, no processes and the clock (they need another user or another
kernel's help); changed bytes, which belong to trust.

## What of the environment counts

An installed entry names a file (\`--entry=FILE\`) with the program, the state folder and these variables as they were when
\`crosshook install\` ran: \`HOME\`, \`PATH\`, \`XDG_CONFIG_HOME\`, \`XDG_STATE_HOME\`, \`XDG_CACHE_HOME\`, \`XDG_DATA_HOME\`,
\`XDG_RUNTIME_DIR\`, \`CROSSHOOK_MANAGED_DIR\`, \`CROSSHOOK_TRUST\`, \`CROSSHOOK_NO_DAEMON\`, \`CROSSHOOK_DEBUG\`,
\`NODE_EXTRA_CA_CERTS\`, \`SSL_CERT_FILE\`, \`SSL_CERT_DIR\`. Run it again to change one. Of the agent's environment
\`CROSSHOOK_*\` (but \`CROSSHOOK_DEPTH\`), \`XDG_*\`, and what makes loaders, shells, interpreters and git run other code
(\`LD_*\`, \`NODE_OPTIONS\`, \`PYTHON*\`, \`BASH_ENV\`, … see \`src/spec/hostile-variables.ts\`) is taken away before anything is
started. Everything else reaches hooks. An agent that starts entries through \`bash -c\` has its shell read \`BASH_ENV\`
before crosshook is there; Claude Code's entries are started without a shell.

`

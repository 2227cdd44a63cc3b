/** Variables that crosshook reads or gives; `test/reference.test.ts` compares them with the sources. */

type Row = { who: 'crosshook' | 'hooks' | 'relay' | 'tests'; text: string }

export const ENVIRONMENT: Readonly<Record<string, Row>> = {
  XDG_CONFIG_HOME: {
    who: 'crosshook',
    text: 'Where your hooks (`agents/hooks`) and settings (`crosshook/config.toml`) lie; `~/.config`.',
  },
  XDG_STATE_HOME: { who: 'crosshook', text: 'Journal, trust, keys, what was installed; `~/.local/state`.' },
  XDG_CACHE_HOME: { who: 'crosshook', text: 'Plans and compiled code; `~/.cache`.' },
  XDG_DATA_HOME: { who: 'crosshook', text: 'The programs that agents’ settings name; `~/.local/share`.' },
  XDG_RUNTIME_DIR: { who: 'crosshook', text: 'Sockets; without it the state folder.' },
  NO_COLOR: { who: 'crosshook', text: 'Set: no colour.' },
  CROSSHOOK_MANAGED_DIR: {
    who: 'crosshook',
    text: 'Folder of the machine’s hooks in place of `/etc/agents/hooks`, with its `crosshook.toml`.',
  },
  CROSSHOOK_TRUST: {
    who: 'crosshook',
    text: '`all`: project hooks run without `crosshook trust`. For CI only.',
  },
  CROSSHOOK_NO_DAEMON: { who: 'crosshook', text: '`1`: no warm engine is started or asked.' },
  CROSSHOOK_DEBUG: { who: 'crosshook', text: '`1`: as `--debug`.' },
  CROSSHOOK_DEPTH: {
    who: 'hooks',
    text: 'How many hooks within agents within hooks lie above; too many are refused.',
  },
  CROSSHOOK_STATE_DIR: {
    who: 'hooks',
    text: 'A folder of this hook and session, in which it may remember things.',
  },
  CROSSHOOK_RELAY_SECONDS: {
    who: 'relay',
    text: 'How long the relay waits for an answer when its entry does not say.',
  },
  CROSSHOOK_RELAY: {
    who: 'relay',
    text: 'Why the relay took the way through Node; taken away before hooks run.',
  },
  CROSSHOOK_ANSWER: {
    who: 'relay',
    text: 'In which form Node answers the relay; taken away before hooks run.',
  },
  CROSSHOOK_KEEPER: {
    who: 'relay',
    text: 'The descriptor on which Node tells of the programs that it runs, so that they end with it; taken away before hooks run.',
  },
  CROSSHOOK_READY_FD: { who: 'relay', text: 'Where a daemon that starts says that it is ready.' },
  CROSSHOOK_HUB: {
    who: 'crosshook',
    text: 'Address of the hub for `crosshook fleet`, with CROSSHOOK_HUB_TOKEN.',
  },
  CROSSHOOK_HUB_TOKEN: {
    who: 'crosshook',
    text: 'Token for `crosshook fleet`; both go before what was kept.',
  },
  CROSSHOOK_HUB_DATABASE: { who: 'crosshook', text: 'Database of `crosshook hub`, as `--database`.' },
  CROSSHOOK_ENROLL_TOKEN: {
    who: 'crosshook',
    text: 'Token for `crosshook enroll`, so that it stands in no list of processes.',
  },
  CROSSHOOK_HUB_CLIENT_ID: {
    who: 'crosshook',
    text: 'Client of the identity provider that `crosshook hub` signs people in with.',
  },
  CROSSHOOK_HUB_CLIENT_SECRET: {
    who: 'crosshook',
    text: 'Its secret, so that it stands in no list of processes.',
  },
}

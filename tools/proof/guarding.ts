/** Behaviours that guards and people rely on and that are no row of docs/features.md: people who are asked, packs, hub, replay, confinement. */

import type { Behaviour } from './behaviours.ts'

const ASK = 'src/ask/ask.test.ts'
const CONFINE = 'src/executors/confine/confine.test.ts'
const JUDGE = 'src/packs/trusted-signer.test.ts'
const SECURITY = 'test/hub/security.test.ts'

export const GUARDING: readonly Behaviour[] = [
  {
    promise: 'ask: a question that nobody answers is refused',
    file: 'src/ask/port.ts',
    find: "if (words.isSilence(answer))\n      return { decision: 'deny'",
    put: "if (words.isSilence(answer))\n      return { decision: 'allow'",
    red: [
      `${ASK} — that nobody answers is refused within the time of the setting, and says what the model can do`,
    ],
  },
  {
    promise: 'ask: a grant is bound to the digest of what was asked',
    file: 'src/ask/grants.ts',
    find: 'grant.digest !== digest || grant.agent !== agent',
    put: 'grant.agent !== agent',
    red: [
      `${ASK} — for a session lets the same input through there, and nothing else`,
      `${ASK} — ends when the script is another one, when it is revoked, and when its time is over`,
    ],
  },
  {
    promise: 'ask: a grant that somebody else wrote does not count',
    file: 'src/ask/sealed-file.ts',
    find: "if (end < 0 || !isMac(text.slice(end + 1).trimEnd(), key, 'ask', sealedText(file, body))) return 'forged'",
    put: "if (end < 0) return 'forged'",
    red: [`${ASK} — that was revoked, or that somebody else wrote, does not count`],
  },
  {
    promise: 'ask: a script that changed while the person thought is not run',
    file: 'src/ask/port.ts',
    find: 'if (!isSame(pinned, context)) return',
    put: 'if (false) return',
    red: [`${ASK} — is not needed for a script that changed while the person thought: that is refused`],
  },
  {
    promise: 'packs: a foreign key is refused',
    file: 'src/packs/trusted-signer.ts',
    find: 'if (good.includes(pinned))',
    put: 'if (good.length > 0)',
    red: [
      `${JUDGE} — is refused from another key, and without a signature`,
      `${JUDGE} — is taken from a key that the old one has handed over to, unless the old one was revoked`,
    ],
  },
  {
    promise: 'packs: a revoked key is refused',
    file: 'src/packs/trusted-signer.ts',
    find: 'const good = signers.filter((signer) => taken(signer) === undefined)',
    put: 'const good = signers',
    red: [`${JUDGE} — is refused from a revoked key, whoever revoked it`],
  },
  {
    promise: 'packs: a signature holds for the bytes that were signed only',
    file: 'src/packs/pack-signature.ts',
    find: "if (!isSignedBy(signer, 'pack', text, signature))",
    put: 'if (false)',
    red: [`${JUDGE} — a signature does not hold for other bytes than those that were signed`],
  },
  {
    promise: 'packs: a path that leads out of the folder is refused',
    file: 'src/packs/files.ts',
    find: 'if (wrong !== undefined) throw refused(what, path, wrong)',
    put: '',
    red: ['src/packs/files.test.ts — %s are refused'],
  },
  {
    promise: "hub: no query shows another tenant's rows, on PostgreSQL",
    file: 'src/hub/database/tables.ts',
    find: "USING (tenant = current_setting('crosshook.tenant', true))",
    put: 'USING (true)',
    red: [
      'test/hub/store.test.ts — shows a tenant no row of another, whatever is asked, and takes none for another',
    ],
  },
  {
    promise: 'hub: a person sees no machine of another tenant, on SQLite',
    file: 'src/hub/store/edges.ts',
    find: "const where = ['tenant = $1', 'id > $2']",
    put: "const where = ['($1 = $1)', 'id > $2']",
    red: [
      `${SECURITY} — shows and changes nothing of another tenant, by a person's token or a machine's key`,
    ],
  },
  {
    promise: 'hub: a machine takes no policy whose signatures it does not know',
    file: 'src/fleet/wire/policy-manifest.ts',
    find: 'if (signers.size < threshold)',
    put: 'if (false)',
    red: [
      `${SECURITY} — does not take a policy %s`,
      `${SECURITY} — follows the right to sign through revisions that were not for it, and not from those who never had it`,
    ],
  },
  {
    promise: 'hub: a request counts only with the signature of its machine',
    file: 'src/fleet/wire/signed-request.ts',
    find: "return verify(key, 'edge', message(claim, request, claim.at), claim.signature)",
    put: 'return true',
    red: [`${SECURITY} — refuses requests that are unsigned, altered, old, or signed by another key`],
  },
  {
    promise: 'replay: no program is run',
    file: 'src/history/judge-call.ts',
    find: 'const why = scripts ? scripts.refuses(planned.hook) : whyUnasked(planned.hook)\n          if (why === undefined) return scripts!.run(planned, given, call)',
    put: "const why = scripts?.refuses(planned.hook)\n          if (why === undefined && !scripts && planned.hook.run.type === 'command') process.getBuiltinModule('node:child_process').execSync(planned.hook.run.command!, { env })\n          if (why === undefined) return scripts?.run(planned, given, call) ?? NO_ANSWER",
    red: ['src/history/replay.test.ts — a program is not run, and the call counts as partly judged'],
  },
  {
    promise: 'confine: a hook reaches the network only where it says so',
    file: 'src/executors/confine/hook-policy.ts',
    find: 'const reach = connections(wish.connect, folders)',
    put: "const reach = connections(['*'], folders)",
    red: [`${CONFINE} — reaches the network only where it says so`],
  },
  {
    promise: 'confine: a hook reads no file of the project that the event does not name',
    file: 'src/executors/confine/hook-policy.ts',
    find: '    own,\n    ...pathsOf(touchedPaths',
    put: '    own,\n    ...folders.project,\n    ...pathsOf(touchedPaths',
    red: [
      `${CONFINE} — reads its own folder and the files that the event names, and no other of the project`,
    ],
  },
  {
    promise: 'confine: a hook gets no variable that it does not list',
    file: 'src/executors/confine/hook-policy.ts',
    find: 'filter(([name]) => VARIABLES.test(name) || own.has(name))',
    put: 'filter(([name]) => name !== own.name)',
    red: [`${CONFINE} — gets the documented variables and those that it lists`],
  },
]

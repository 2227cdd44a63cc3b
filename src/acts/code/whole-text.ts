/** What code does by its text as a whole, where no single call tells it: shells over sockets, fork bombs, decoded code. */

import type { Effect } from '../program.ts'
import { environmentEffects } from './shown-variables.ts'
import { storeEffects } from './stores.ts'

export function effectsOfText(text: string): Effect[] {
  const effects: Effect[] = []
  if (
    /\b(?:socket|Socket|TCPSocket|fsockopen|net\.(?:connect|Socket|createConnection)|net['"]\)\.(?:connect|Socket|createConnection))\b/.test(
      text,
    ) &&
    /\/bin\/(?:ba|da|z|k)?sh\b|cmd\.exe|powershell|(?:spawn|execl?p?|proc_open|popen|system|shell_exec|passthru)\s*\(?\s*\[?['"](?:ba|da|z|k)?sh['"]/.test(
      text,
    ) &&
    /dup2|spawn|exec|popen|proc_open|subprocess|system|open\(\s*STDIN/.test(text)
  )
    effects.push({ does: 'run', place: 'remote', why: 'gives another machine a shell' })
  else if (
    /\bTCPSocket\.(?:new|open)\b/.test(text) &&
    /\.gets\b/.test(text) &&
    /\b(?:popen|exec|system|eval)\b/.test(text)
  )
    effects.push({ does: 'run', place: 'remote', why: 'runs what another machine says' })
  if (
    /\b(?:exec|eval|Function|instance_eval|assert)\s*\(/.test(text) &&
    /b64decode|base64|fromhex|unhexlify|decompress|codecs\.decode|marshal\.loads|atob\s*\(|unpack\s*\(|rot_?13/.test(
      text,
    )
  )
    effects.push({ does: 'run', place: 'decoded', certain: false, why: 'runs what it decodes' })
  if (RUNS_WHAT_IT_FETCHES.test(text))
    effects.push({ does: 'run', place: 'remote', certain: false, why: 'runs what it fetches' })
  if (STORED_IN_BROWSER.test(text) && LEAVES_BROWSER.test(text))
    effects.push({ does: 'send', place: 'secret', why: 'sends what a browser keeps of a session' })
  if (/\.then\(\s*(?:eval|Function)\s*\)/.test(text))
    effects.push({ does: 'run', place: 'decoded', why: 'code that is made while it runs' })
  effects.push(...environmentEffects(text), ...storeEffects(text))
  if (
    /\bfork\s*(?:\(\s*\))?\s+while\s+(?:fork|1)\b|while\b[^;\n]{0,60}[:{;\s]\s*(?:os\.|Process\.|pcntl_)?fork\b|\bloop\s*(?:\{|do)\s*(?:Process\.)?fork\b|\bfork\(\)\s+for\b/.test(
      text,
    )
  )
    effects.push({ does: 'kill', place: 'machine', why: 'starts itself again and again: a fork bomb' })
  if (KILLS_ALL.test(text)) effects.push({ does: 'kill', place: 'machine', why: 'ends every process' })
  return effects
}

const STORED_IN_BROWSER = /\bdocument\.cookie\b|\b(?:local|session)Storage\b|\.(?:cookies|storageState)\(\)/
/** To a machine that is not this one. */
const LEAVES_BROWSER =
  /\b(?:fetch|sendBeacon|axios(?:\.post)?|open|post|WebSocket)\s*\(\s*['"`](?:POST['"`]\s*,\s*['"`])?(?:https?|wss?):\/\/(?!localhost\b|127\.|\[::1)|\.src\s*=\s*['"`]https?:\/\/(?!localhost\b|127\.)/

/** `os.kill(-1, 9)`, `kill 9, -1`. */
const KILLS_ALL =
  /\bkill(?:pg)?\s*\(?\s*(?:-1\s*,|["':]?(?:SIG)?(?:KILL|TERM|9|15)["']?\s*,\s*-1\b|signal\.\w+\s*,\s*-1\b)|\b(?:os|process)\.kill\(\s*1\s*,/

/** `system(urlopen(…))`, `eval(get("http…"))`, `include "http…"`, `import("https…")`. */
const RUNS_WHAT_IT_FETCHES =
  /\b(?:exec|eval|system|popen|check_output|check_call|execSync|subprocess\.\w+)\s*\(?[^;\n]{0,80}(?:urlopen|urlretrieve|requests\.get|httpx\.get|file_get_contents\(\s*['"]https?:|URI\.open|Net::HTTP\.get|LWP|\bget\(\s*['"]https?:)|\b(?:include|include_once|require|require_once|import|source)\s*\(?\s*['"]https?:/

/** `crosshook doctor --managed`: checks the administrator's installation. Any user may run it. */

import { MANAGED } from '../config/managed.ts'
import { knownAgents } from '../install/known.ts'
import { checkManaged } from '../install/managed/check-managed.ts'
import { agentJson, agentWords, isSick, problemLines } from './doctor-words.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'

export async function run(args: Arguments): Promise<number> {
  const found = await checkManaged(await knownAgents(), args.env)
  const paint = painter(1)
  const isWrong =
    !found.isInstalled || found.problems.length > 0 || found.checkups.some((checkup) => isSick(checkup, true))
  if (args.flag('json')) {
    const { isInstalled, problems, checkups, accounts, pid } = found
    printJson({
      ok: !isWrong,
      installed: isInstalled,
      user: accounts ? { name: MANAGED.user, uid: accounts.uid } : null,
      resident: pid ?? null,
      problems,
      agents: checkups.map(agentJson),
    })
    return isWrong ? 1 : 0
  }
  if (!found.isInstalled) {
    print('There is no managed installation on this machine: sudo crosshook install --managed\n')
    return 1
  }
  print(
    `${found.checkups.map((checkup) => agentWords(checkup, false, paint)).join('\n')}\n` +
      `${found.problems.map((problem) => problemLines(problem, paint)).join('')}` +
      `${paint.dim('resident')}  ${found.pid === undefined ? 'does not run' : `process ${found.pid}, user ${MANAGED.user}`}\n` +
      `${isWrong ? paint.red('Something is wrong: see ✗ above.') : paint.green('The managed installation is whole.')}\n`,
  )
  return isWrong ? 1 : 0
}

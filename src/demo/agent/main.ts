/** Run it with `node src/demo/agent/main.ts`: this folder, its hooks and yours, and a model that follows a script. */

import { loadHooks } from 'crosshook'
import { createAgent } from './agent.ts'
import { scriptedModel } from './scripted-model.ts'

const hooks = await loadHooks({ work_dir: process.cwd() })
const agent = createAgent({
  hooks,
  workDir: process.cwd(),
  model: scriptedModel([
    { text: 'I look around.', calls: [{ tool: 'Shell', input: { command: 'ls' } }] },
    { text: 'Done.' },
  ]),
  // A real agent asks the person; see `createInterface` of node:readline/promises.
  ask: () => true,
  report: (happening) => console.log(happening.kind),
})
const { started } = await agent.start()
if (started) console.log(await agent.prompt('What is here?'))
await agent.end()
hooks.close()

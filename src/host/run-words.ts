import type { Hook } from '../spec/hook.ts'

/** In full, because this is what the person approves. */
export function runWords({ run }: Hook, short: (path: string) => string = String): string {
  switch (run.type) {
    case 'outcome':
      return `nothing: it always answers ${JSON.stringify(run.outcome)}`
    case 'command':
      if ('entry' in run) return 'its scripts/run'
      return 'argv' in run ? run.argv.join(' ') : `${run.shell}: ${run.command}`
    case 'module':
      return `${short(run.file)}, inside crosshook`
    case 'http':
      return `nothing here: every event is sent to ${run.url}`
    case 'prompt':
    case 'agent':
      return `a model${run.type === 'agent' ? ` with tools (${(run.tools ?? []).join(', ')})` : ''} is asked: ${run.template}`
    default:
      return run.type
  }
}

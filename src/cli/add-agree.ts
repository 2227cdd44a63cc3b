/** What a person is shown before others' hooks are added, and the question. */

import type { Pack } from '../packs/pack.ts'
import type { Verdict } from '../packs/trusted-signer.ts'
import type { Provenance } from '../sign/provenance.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Chosen } from './add-checks.ts'
import { addView } from './add-view.ts'
import { ask, canAsk } from './ask.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { plural, print, printAsIs } from './print.ts'
import { columns } from './table.ts'
import { visible } from './visible.ts'

export async function agree(
  {
    chosen,
    pack,
    verdict,
    provenance,
  }: { chosen: readonly Chosen[]; pack: Pack; verdict: Verdict; provenance?: Provenance | undefined },
  args: Arguments,
): Promise<void> {
  const paint = painter(1)
  if (!args.flag('json')) {
    if (pack.manifest) print(`${packView(pack, verdict, provenance, paint)}\n`)
    for (const { hook, files } of chosen) printAsIs(`${addView(hook, files, paint)}\n`)
  }
  if (args.flag('yes')) return
  if (!canAsk() || args.flag('json'))
    throw new CrosshookError('refused', 'nothing was added: there is no terminal to ask on', {
      fix: 'If this may run, say so with --yes.',
    })
  if (!(await ask(`Add ${plural(chosen.length, 'hook')}?`)))
    throw new CrosshookError('refused', 'nothing was added', { fix: 'You said no.' })
}

function packView(
  { manifest, hooks }: Pack,
  { how, words }: Verdict,
  provenance: Provenance | undefined,
  paint: Painter,
): string {
  const { name, version, description, license, settings = {} } = manifest!
  const signed = how === 'unsigned' ? paint.yellow(words) : words
  return `${paint.bold(`${name} ${version}`)}\n${columns(
    [
      ['what', visible(description)],
      ['licence', visible(license)],
      ['hooks', hooks.map(({ hook }) => visible(hook.name)).join(', ')],
      ...(Object.keys(settings).length > 0 ? [['settings', Object.keys(settings).join(', ')]] : []),
      ...(provenance ? builtRows(provenance) : []),
      ['signature', signed],
    ],
    '  ',
  )}`
}

function builtRows({ repository, workflow, commit }: Provenance): string[][] {
  return [
    ['built from', `${visible(repository)}${commit === undefined ? '' : ` ${visible(commit.slice(0, 12))}`}`],
    ['built by', visible(workflow)],
  ]
}

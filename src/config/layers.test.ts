import { describe, expect, it } from 'vitest'
import { HOOK_DEFAULTS, type Hook, type Scope } from '../spec/hook.ts'
import { replacedBy, replaces } from './layers.ts'

const hook = (scope: Scope, more: Partial<Hook> = {}): Hook => ({
  ...HOOK_DEFAULTS,
  name: 'guard',
  format: 'f',
  scope,
  unique_name: true,
  events: [],
  run: { type: 'outcome', outcome: {} },
  origin: { file: `/${scope}/HOOK.md` },
  ...more,
})

describe('a hook of the same name', () => {
  const [managed, user, project] = [hook('managed'), hook('user'), hook('project')]
  const fixed = hook('user', { replaceable: false })

  it.each([
    ['of a project replaces a user hook', project, user, true],
    ['of a project does not replace a user hook that is not replaceable', project, fixed, false],
    ['of a project does not replace a managed one', project, managed, false],
    ['of a user does not replace a managed one', user, managed, false],
    ['of a user does not replace a project hook', user, project, false],
    ['that is managed replaces a user hook', managed, user, true],
    ['that is managed replaces one that is not replaceable, too', managed, fixed, true],
    ['in another format replaces nothing', hook('project', { format: 'g' }), user, false],
  ])('%s', (_, other, mine, expected) => {
    expect(replaces(other, mine, [mine, other])).toBe(expected)
  })

  it('in the same scope counts when it comes later', () => {
    const later = hook('user')
    expect(replaces(later, user, [user, later])).toBe(true)
    expect(replaces(user, later, [user, later])).toBe(false)
    expect(replaces(later, fixed, [fixed, later])).toBe(false)
    const laterManaged = hook('managed', { replaceable: false })
    expect(replaces(laterManaged, managed, [managed, laterManaged])).toBe(true)
  })

  it('is named with those that it would replace', () => {
    const all = [managed, user, fixed, project]
    expect(replacedBy(project, all)).toEqual([user])
    expect(replacedBy(managed, all)).toEqual([user, fixed, project])
  })
})

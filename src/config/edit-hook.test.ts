import { expect, it } from 'vitest'
import { hookEditor } from './edit-hook.ts'

it('edits the format of the hook folders, and knows its fields', async () => {
  const { editFields, readFields, schema } = await hookEditor()
  const text = '---\nname: a # mine\ndescription: b\ntrigger: stop\n---\n'
  const edited = editFields(text, [{ path: ['name'], value: 'c' }, { path: ['description'] }])
  expect(edited).toBe('---\nname: c # mine\ntrigger: stop\n---\n')
  expect(readFields(edited)).toEqual({ name: 'c', trigger: 'stop' })
  expect(await schema()).toMatchObject({ properties: { trigger: { type: 'string' } } })
})

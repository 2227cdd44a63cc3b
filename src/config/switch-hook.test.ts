import { expect, test } from 'vitest'
import { withSwitched } from './switch-hook.ts'

const off = (text: string, name = 'x') => withSwitched(text, name, 'off', 'config.toml')
const on = (text: string, name = 'x') => withSwitched(text, name, 'on', 'config.toml')

test('a hook is switched off in a file that says nothing of it, before the first table', () => {
  expect(off('')).toBe('disabled = ["x"]\n')
  expect(off('# mine\nmanaged_only = false')).toBe('# mine\nmanaged_only = false\ndisabled = ["x"]\n')
  expect(off('# mine\n\n[journal]\ndetail = "none"\n')).toBe(
    '# mine\n\ndisabled = ["x"]\n[journal]\ndetail = "none"\n',
  )
})

test('a list that is there keeps its form and its comments', () => {
  expect(off('disabled = [] # none\n')).toBe('disabled = ["x"] # none\n')
  expect(off('disabled = [\n  "a", # noisy\n]\n[journal]\n')).toBe(
    'disabled = ["x", \n  "a", # noisy\n]\n[journal]\n',
  )
})

test('switching on takes the name out, whichever place and quotes it has', () => {
  expect(on('disabled = ["x"]\n')).toBe('disabled = []\n')
  expect(on("disabled = ['a', 'x', 'b']\n")).toBe("disabled = ['a', 'b']\n")
  expect(on('disabled = ["a", "x"]\n')).toBe('disabled = ["a"]\n')
})

test('on and off again brings back what was there', () => {
  for (const text of ['disabled = []\n', 'a = 1\ndisabled = ["b", "c"]\n[daemon]\nhttp = "127.0.0.1:1"\n']) {
    const data = text.startsWith('a') ? text.replace('a = 1\n', '') : text
    expect(on(off(data, 'a "b" .*'), 'a "b" .*')).toBe(data)
  }
})

test('a setting that already has the value leaves the file unchanged', () => {
  expect(off('disabled=["x"]')).toBe('disabled=["x"]')
  expect(on('[journal]\n')).toBe('[journal]\n')
})

test('a file that cannot be changed so is left alone, and it is said what to write', () => {
  expect(() => off('disabled = "x"')).toThrow(/could not be changed/)
  expect(() => off('not toml')).toThrow(/is not TOML/)
})

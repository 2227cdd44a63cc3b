import { expect, test } from 'vitest'
import { toProblem } from './problem.ts'

test.each(['ENOSPC', 'EROFS', 'EACCES'])('a disk that says %s is no riddle for the caller', (code) => {
  const error = Object.assign(new Error(`${code}: it cannot be written`), { code })
  expect(toProblem(error)).toMatchObject({
    status: 503,
    code: 'store',
    detail: expect.stringContaining(code),
    fix: expect.stringContaining('state folder'),
  })
})

test('an unexpected error reveals nothing internal of the daemon', () => {
  expect(toProblem(new TypeError('secret is not a function'))).toMatchObject({
    status: 500,
    detail: 'The daemon could not do this; its log says why.',
  })
})

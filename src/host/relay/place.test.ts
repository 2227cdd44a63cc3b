import { expect, test } from 'vitest'
import { enginePlace, isPipe } from './place.ts'

test('the engine listens on a socket in the runtime folder', () => {
  expect(enginePlace('/run/user/1/crosshook', 'linux')).toBe('/run/user/1/crosshook/engine.sock')
  expect(isPipe(enginePlace('/run/user/1/crosshook', 'linux'))).toBe(false)
})

test('on Windows it listens on a pipe, as relay/windows.c names it', () => {
  const place = enginePlace('C:\\Users\\me\\.local\\state\\crosshook', 'win32')
  expect(place).toBe('\\\\.\\pipe\\crosshook:C:/Users/me/.local/state/crosshook')
  expect(isPipe(place)).toBe(true)
})

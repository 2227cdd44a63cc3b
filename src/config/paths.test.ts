import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paths } from './paths.ts'

test.each(['/home/bob', '/home/bob/', '/', '/home//bob/../eve', '/a/./b'])(
  'below %s, each place is normal',
  (home) => {
    const found = paths({ HOME: home })
    expect(found).toMatchObject({
      home,
      state: join(home, '.local/state/crosshook'),
      runtime: join(home, '.local/state/crosshook'),
      cache: join(home, '.cache/crosshook'),
      data: join(home, '.local/share/crosshook'),
      userHooks: join(home, '.config/agents/hooks'),
      settings: join(home, '.config/crosshook/config.toml'),
      fleet: {
        folder: join(home, '.local/state/crosshook/fleet'),
        guard: join(home, '.local/state/crosshook/fleet/guard'),
      },
    })
  },
)

test('each variable counts at once, and a relative XDG folder does not', () => {
  const HOME = '/h'
  expect(paths({ HOME }).settings).toBe('/h/.config/crosshook/config.toml')
  expect(paths({ HOME, XDG_CONFIG_HOME: '/c/' }).settings).toBe('/c/crosshook/config.toml')
  expect(paths({ HOME, XDG_CONFIG_HOME: 'c' }).settings).toBe('/h/.config/crosshook/config.toml')
  expect(paths({ HOME, XDG_STATE_HOME: '/s' }).state).toBe('/s/crosshook')
  expect(paths({ HOME, XDG_CACHE_HOME: '/k' }).cache).toBe('/k/crosshook')
  expect(paths({ HOME, XDG_DATA_HOME: '/d' }).data).toBe('/d/crosshook')
  expect(paths({ HOME, XDG_RUNTIME_DIR: '/r' }).runtime).toBe('/r/crosshook')
  expect(paths({ HOME, CROSSHOOK_MANAGED_DIR: '/m' })).toMatchObject({
    managedHooks: '/m',
    managedSettings: '/m/crosshook.toml',
  })
  expect(paths({ HOME })).toMatchObject({
    state: '/h/.local/state/crosshook',
    managedHooks: '/etc/agents/hooks',
  })
})

import { describe, expect, test } from 'vitest'
import { affordableTokens, chooseModel, type Model } from './model-settings.ts'

const env = { ANTHROPIC_API_KEY: 'k-1', LOCAL_KEY: 'k-2' }
const settings = {
  default: 'local/org/model',
  providers: {
    local: {
      type: 'openai-compatible',
      base_url: 'http://127.0.0.1:1/v1',
      api_key_env: 'LOCAL_KEY',
      prices: { 'org/model': { input: 1, output: 10 } },
    },
    open: { type: 'openai-compatible', base_url: 'http://127.0.0.1:2/v1' },
  },
}

describe('the model', () => {
  test('is the default of the settings when the hook names none', () => {
    expect(chooseModel(undefined, settings, env)).toEqual({
      label: 'local/org/model',
      provider: 'local',
      name: 'org/model',
      type: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKey: 'k-2',
      maxOutputTokens: 1024,
      generation: {},
      price: { input: 1, output: 10 },
    })
  })

  test.each([
    [{ provider: 'anthropic', name: 'claude-x' }, 'anthropic/claude-x'],
    [{ name: 'anthropic/claude-x' }, 'anthropic/claude-x'],
    [{ name: 'other' }, 'local/other'],
    [{ provider: 'local' }, 'local/org/model'],
    [{ provider: 'open', name: 'a/b' }, 'open/a/b'],
  ])('of %j is %s', (choice, label) => {
    expect(chooseModel(choice, settings, env)).toMatchObject({ label })
  })

  test('of a provider without a key variable needs no key', () => {
    expect(chooseModel({ provider: 'open', name: 'x' }, settings, {})).not.toHaveProperty('apiKey')
  })

  test.each([
    [{}, {}, /no model is named/],
    [{ provider: 'anthropic' }, settings, /no model is named/],
    [{ name: 'antropic/x' }, settings, /"antropic" is not known.*Did you mean "anthropic"/],
    [{ name: 'openai/x' }, settings, /needs a key in the environment variable OPENAI_API_KEY/],
    [{ name: 'anthropic/x', max_cost_usd: 1 }, settings, /has a cost limit but no price/],
    [{ name: 'constructor/x' }, settings, /is not known/],
  ])('%j with %j is refused for good', (choice, given, message) => {
    const refused = chooseModel(choice, given, env)
    expect(refused).toMatchObject({ failed: true, retryable: false, message: expect.stringMatching(message) })
  })

  test('is never looked for at an address from the environment', () => {
    const hostile = { ...env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:3' }
    expect(chooseModel({ name: 'anthropic/x' }, {}, hostile)).toMatchObject({
      baseUrl: 'https://api.anthropic.com/v1',
    })
  })

  test('costs no more than the settings allow, whatever the hook says', () => {
    const strict = { ...settings, max_cost_usd: 0.5 }
    expect(chooseModel({ max_cost_usd: 2 }, strict, env)).toMatchObject({ maxCostUsd: 0.5 })
    expect(chooseModel({ max_cost_usd: 0.1 }, strict, env)).toMatchObject({ maxCostUsd: 0.1 })
  })
})

describe('the budget', () => {
  const model = {
    label: 'a/b',
    maxOutputTokens: 1000,
    maxCostUsd: 0.01,
    price: { input: 10, output: 100 },
  } as Model

  test('leaves the hook its tokens when it can pay for them', () => {
    expect(affordableTokens({ ...model, maxCostUsd: 1 }, 100)).toBe(1000)
    const { maxCostUsd: _, ...unlimited } = model
    expect(affordableTokens(unlimited, 1e9)).toBe(1000)
  })

  test('cuts the output to what is left', () => {
    expect(affordableTokens(model, 500)).toBe(50)
    expect(affordableTokens(model, 500, 0.004)).toBe(10)
  })

  test('refuses an input that is already too dear', () => {
    expect(affordableTokens(model, 1000)).toMatchObject({
      retryable: false,
      message: 'a/b: about 1000 input tokens would exceed the cost limit of 0.01 US dollars',
    })
  })
})

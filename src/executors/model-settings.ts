/** Which model answers, its address, and its budget. Addresses and keys come only from the settings. */

import type { ModelChoice } from '../spec/hook.ts'
import { didYouMean } from '../spec/nearest.ts'
import { type Failure, failure } from '../spec/outcome.ts'

export interface Model {
  /** `provider/name`, for messages. */
  label: string
  provider: string
  name: string
  type: ProviderType
  baseUrl: string
  apiKey?: string
  maxOutputTokens: number
  maxCostUsd?: number
  price?: Price
  generation: Readonly<Record<string, unknown>>
}

/** US dollars per million tokens. */
export interface Price {
  input: number
  output: number
}

export type ProviderType = 'anthropic' | 'openai-compatible' | 'google'

interface ProviderSettings {
  type?: ProviderType
  base_url?: string
  api_key_env?: string
  prices?: Record<string, Price>
}

interface ModelSettings {
  default?: string
  max_cost_usd?: number
  providers?: Record<string, ProviderSettings>
}

const DEFAULT_OUTPUT_TOKENS = 1024

/** Providers that need no settings beside a key in the environment. */
const KNOWN: Readonly<Record<string, ProviderSettings>> = {
  anthropic: {
    type: 'anthropic',
    base_url: 'https://api.anthropic.com/v1',
    api_key_env: 'ANTHROPIC_API_KEY',
  },
  openai: { type: 'openai-compatible', base_url: 'https://api.openai.com/v1', api_key_env: 'OPENAI_API_KEY' },
  google: {
    type: 'google',
    base_url: 'https://generativelanguage.googleapis.com/v1beta',
    api_key_env: 'GEMINI_API_KEY',
  },
}

export function chooseModel(
  choice: ModelChoice = {},
  given: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): Model | Failure {
  // The settings file was checked against its schema when it was read.
  const settings = given as ModelSettings
  const named = nameOf(choice, settings.default)
  if (!named)
    return refused('no model is named: set `default = "provider/model"` below [models] in the settings')
  const { provider, name } = named
  const providers = settings.providers ?? {}
  const own = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  const known = Object.hasOwn(KNOWN, provider) ? KNOWN[provider] : undefined
  // Never from the environment: whoever sets a variable there could have the key sent to themselves.
  const { type, base_url: baseUrl, api_key_env: variable } = { ...known, ...own }
  if (!type || !baseUrl) {
    const names = [...Object.keys(KNOWN), ...Object.keys(providers)]
    return refused(
      `the model provider "${provider}" is not known: add [models.providers.${provider}] with type and base_url to the settings.${didYouMean(provider, names)}`,
    )
  }
  const apiKey = variable === undefined ? undefined : env[variable]
  if (variable !== undefined && !apiKey)
    return refused(`the model provider "${provider}" needs a key in the environment variable ${variable}`)

  const label = `${provider}/${name}`
  const maxCostUsd = least(choice.max_cost_usd, settings.max_cost_usd)
  const price = own?.prices?.[name]
  if (maxCostUsd !== undefined && !price)
    return refused(
      `${label} has a cost limit but no price: add it to [models.providers.${provider}.prices] in the settings`,
    )
  const generation = choice.generation ?? {}
  return {
    label,
    provider,
    name,
    type,
    baseUrl,
    maxOutputTokens:
      choice.max_output_tokens ?? wholeNumber(generation.max_output_tokens) ?? DEFAULT_OUTPUT_TOKENS,
    generation,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(price === undefined ? {} : { price }),
  }
}

/** Number of output tokens that the budget still covers, or why it covers none. */
export function affordableTokens(model: Model, inputTokens: number, spentUsd = 0): number | Failure {
  if (model.maxCostUsd === undefined || !model.price) return model.maxOutputTokens
  const left = model.maxCostUsd - spentUsd - (inputTokens * model.price.input) / 1e6
  const tokens = model.price.output > 0 ? Math.floor((left * 1e6) / model.price.output) : Infinity
  if (left <= 0 || tokens < 1)
    return refused(
      `${model.label}: about ${inputTokens} input tokens would exceed the cost limit of ${model.maxCostUsd} US dollars`,
    )
  return Math.min(tokens, model.maxOutputTokens)
}

export function costOf(model: Model, inputTokens: number, outputTokens: number): number {
  return model.price ? (inputTokens * model.price.input + outputTokens * model.price.output) / 1e6 : 0
}

/** An upper estimate: most texts have four bytes per token. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3)
}

function nameOf(choice: ModelChoice, fallback?: string): { provider: string; name: string } | undefined {
  const usual = split(fallback)
  const { provider, name } = choice.provider === undefined ? split(choice.name) : choice
  if (name) return provider || usual.provider ? { provider: provider ?? usual.provider!, name } : undefined
  if (!usual.provider || !usual.name || (provider && provider !== usual.provider)) return undefined
  return { provider: usual.provider, name: usual.name }
}

/** `provider/model`; the model's own name may hold further slashes. */
function split(text = ''): { provider?: string; name?: string } {
  const slash = text.indexOf('/')
  return slash > 0 ? { provider: text.slice(0, slash), name: text.slice(slash + 1) } : { name: text }
}

function least(...limits: (number | undefined)[]): number | undefined {
  const set = limits.filter((limit) => limit !== undefined)
  return set.length > 0 ? Math.min(...set) : undefined
}

function wholeNumber(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) > 0 ? (value as number) : undefined
}

function refused(message: string): Failure {
  return failure(message, { retryable: false })
}

/** One question to a model, with or without tools. Loads the model libraries: import it only on demand. */

import {
  APICallError,
  dynamicTool,
  generateText,
  jsonSchema,
  type LanguageModel,
  Output,
  stepCountIs,
  ToolChoiceViolationError,
} from 'ai'
import type { RawResult } from '../spec/executor.ts'
import { parseJson } from '../spec/json.ts'
import { type Failure, failure, isFailure } from '../spec/outcome.ts'
import type { AgentTool } from './agent-tools.ts'
import { affordableTokens, costOf, estimateTokens, type Model } from './model-settings.ts'
import { retryAfter } from './retry-after.ts'

export interface Question {
  model: Model
  system: string
  prompt: string
  schema: Readonly<Record<string, unknown>>
  tools: Readonly<Record<string, AgentTool>>
  maxTurns: number
  signal: AbortSignal
  timeout: number
  debug(line: string): void
}

/** The library would print warnings, and agents read what we print. */
globalThis.AI_SDK_LOG_WARNINGS = false

export async function ask(question: Question): Promise<RawResult | Failure> {
  const { model, system, prompt, maxTurns } = question
  const hasTools = Object.keys(question.tools).length > 0
  try {
    const answer = await generateText({
      model: await languageModel(model),
      system,
      prompt,
      tools: Object.fromEntries(Object.entries(question.tools).map(([name, tool]) => [name, wrapped(tool)])),
      stopWhen: stepCountIs(maxTurns),
      // Many servers cannot combine JSON output with tools.
      output: hasTools ? Output.text() : jsonText(question.schema),
      prepareStep: ({ steps, stepNumber, messages }) => {
        const input = estimateTokens(system) + estimateTokens(JSON.stringify(messages))
        const spent = steps.reduce(
          (sum, { usage, text }) =>
            sum + costOf(model, usage.inputTokens ?? input, usage.outputTokens ?? estimateTokens(text)),
          0,
        )
        const tokens = affordableTokens(model, input, spent)
        if (isFailure(tokens)) throw new Refused(tokens)
        const isLast = stepNumber === maxTurns - 1
        return { maxOutputTokens: tokens, ...(hasTools && isLast ? { toolChoice: 'none' as const } : {}) }
      },
      ...sampling(model.generation),
      maxRetries: 0,
      abortSignal: question.signal,
    })
    const { inputTokens = 0, outputTokens = 0 } = answer.totalUsage
    question.debug(
      `${model.label}: ${inputTokens} tokens in, ${outputTokens} out, ${answer.steps.length} turns`,
    )
    const cost = costOf(model, inputTokens, outputTokens)
    return { ...judged(answer.finishReason, answer.text, question), ...(cost > 0 ? { cost_usd: cost } : {}) }
  } catch (thrown) {
    return callFailure(thrown, question)
  }
}

/** A truncated answer must not be taken for a whole one. */
function judged(finishReason: string, text: string, { model, maxTurns }: Question): RawResult | Failure {
  if (finishReason === 'length')
    return failure(`${model.label}: the answer was cut off: raise max_output_tokens or the cost limit`, {
      retryable: false,
    })
  if (finishReason === 'tool-calls')
    return failure(`${model.label}: no answer within ${maxTurns} turns: raise max_turns`, {
      retryable: false,
    })
  if (finishReason === 'content-filter')
    return failure(`${model.label}: the provider withheld the answer`, { retryable: false })
  if (text.trim() === '') return failure(`${model.label}: the answer is empty`)
  return { stdout: text, value: objectIn(text) }
}

function noAnswer(model: Model, maxTurns: number): Failure {
  return failure(`${model.label}: no answer within ${maxTurns} turns: raise max_turns`, { retryable: false })
}

/** The answer as an object if it is exactly one; otherwise the hook's format reads the text. */
function objectIn(text: string): unknown {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text
  try {
    const value: unknown = parseJson(bare)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // An answer that is not JSON is interpreted by the format.
    return undefined
  }
}

async function languageModel({
  type,
  provider,
  name,
  baseUrl: baseURL,
  apiKey,
}: Model): Promise<LanguageModel> {
  // A key must not follow a redirect to another host.
  const safeFetch: typeof fetch = (target, init) => fetch(target, { ...init, redirect: 'error' })
  switch (type) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL, apiKey: apiKey ?? 'none', fetch: safeFetch })(name)
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ baseURL, apiKey: apiKey ?? 'none', fetch: safeFetch })(name)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const isOpenAi = new URL(baseURL).hostname === 'api.openai.com'
      const settings = {
        name: provider,
        baseURL,
        fetch: safeFetch,
        ...(apiKey === undefined ? {} : { apiKey }),
      }
      return createOpenAICompatible({
        ...settings,
        ...(isOpenAi ? { transformRequestBody: newerField } : {}),
      })(name)
    }
  }
}

/** Newer models accept the limit only under its newer name, which few other servers know. */
function newerField({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}

function jsonText(schema: Readonly<Record<string, unknown>>) {
  return {
    ...Output.text(),
    responseFormat: Promise.resolve({ type: 'json' as const, schema, name: 'outcome' }),
  }
}

function wrapped({ description, parameters, execute }: AgentTool) {
  return dynamicTool({ description, inputSchema: jsonSchema(parameters), execute: (input) => execute(input) })
}

const SAMPLING = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
} as const

function sampling(generation: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(SAMPLING).flatMap(([field, name]) => {
      const value = generation[field]
      return typeof value === 'number' ? [[name, value]] : []
    }),
  )
}

/** Carries a failure through the library's loop. */
class Refused extends Error {
  readonly failure: Failure

  constructor(why: Failure) {
    super(why.message)
    this.failure = why
  }
}

function callFailure(thrown: unknown, { model, maxTurns, signal, timeout }: Question): Failure {
  if (thrown instanceof Refused) return thrown.failure
  if (ToolChoiceViolationError.isInstance(thrown)) return noAnswer(model, maxTurns)
  if (signal.aborted)
    return failure(`${model.label}: no answer within the time limit (${Math.round(timeout)} ms were left)`, {
      kind: 'timed_out',
    })
  if (APICallError.isInstance(thrown) && thrown.statusCode !== undefined)
    return failure(
      `${model.label}: answered with status ${thrown.statusCode}: ${withoutKey(thrown.message, model.apiKey)}`,
      { retryable: thrown.isRetryable, ...retryAfter(thrown.responseHeaders?.['retry-after']) },
    )
  const { name } = thrown as { name?: unknown }
  return failure(`${model.label}: the call failed (${String(causeCode(thrown) ?? name ?? 'unknown error')})`)
}

function causeCode(thrown: unknown): unknown {
  for (
    let error = thrown as { code?: unknown; cause?: unknown } | undefined;
    error;
    error = error.cause as never
  )
    if (error.code !== undefined) return error.code
  return undefined
}

/** Providers quote parts of a wrong key. */
function withoutKey(text: string, apiKey: string | undefined): string {
  const clean = apiKey ? text.replaceAll(apiKey, '[key]') : text
  return clean.replace(/\b(?:sk|pk|key|AIza)[-_\w*]{8,}/g, '[key]').slice(0, 300)
}

/** Commands of clouds that print what they keep secret: stored secrets, keys, tokens, variables of what was deployed. */

import type { Call, Done, Effect } from '../program.ts'

export const STORED_SECRET: Done = {
  does: 'reveal_secret',
  place: 'secret',
  why: 'prints a stored secret',
}

/** By program: words that stand in a row. */
const STORED: Readonly<Record<string, RegExp>> = {
  aws: /^(?:secretsmanager (?:batch-)?get-secret-value|kms decrypt|iam create-access-key|lightsail download-default-key-pair)\b/,
  gcloud: /\bsecrets versions access\b/,
  az: /\bkeyvault (?:secret (?:show|download|backup)|key download)\b/,
  oci: /\bsecrets secret-bundle get\b/,
  doctl: /\b(?:databases connection|kubernetes cluster kubeconfig show)\b/,
}

/** Tokens that end by themselves, and variables that may hold secrets: sometimes what a person wants to see. */
const SHOWN: Readonly<Record<string, RegExp>> = {
  gcloud: /\bauth (?:application-default )?print-(?:access|identity)-token\b/,
  heroku:
    /^(?:config(?:$| )|config:get (?:--?\S+ )*\S*(?:key|token|secret|pass|url|dsn|auth|cred)\S*|auth:token\b|pg:credentials:url\b)/i,
  fly: /^auth token\b/,
  flyctl: /^auth token\b/,
  netlify: /^env:(?:list|get)\b/,
  ntl: /^env:(?:list|get)\b/,
  railway: /^(?:variables|vars)\b/,
  firebase: /^functions:(?:secrets:access|config:get)\b/,
  supabase: /\b(?:projects api-keys)\b/,
}

export function printsSecrets({ name, operands, commands, args }: Call): readonly Effect[] {
  const words = [...commands, ...operands.map(({ text }) => text)].join(' ')
  const isDecrypted =
    name === 'aws' &&
    /^ssm get-parameters?\b/.test(words) &&
    args.some(({ text }) => text === '--with-decryption')
  if (isDecrypted || STORED[name]?.test(words))
    return [{ does: 'reveal_secret', place: 'secret', why: 'prints a stored secret' }]
  return SHOWN[name]?.test(words)
    ? [{ does: 'reveal_secret', place: 'environment', why: 'prints a token or variables that may be secret' }]
    : []
}

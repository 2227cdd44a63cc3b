/**
 * Who built something: a workflow of a repository, according to an identity issuer. In one written form, like a key.
 */

export interface BuildIdentity {
  /** Who vouches for the workflow: `https://token.actions.githubusercontent.com`. */
  issuer: string
  /** The repository whose sources were built. */
  repository: string
  /** The workflow file; with its own repository if that differs. */
  workflow: string
}

const PREFIX = 'sigstore:'
const WRITTEN = /^sigstore:(https:\/\/[^\s#]+)#(https:\/\/[^\s#]+)#([^\s#]+)$/

/** `sigstore:ISSUER#REPOSITORY#WORKFLOW`; equal texts are the same workflow. */
export function writeIdentity({ issuer, repository, workflow }: BuildIdentity): string {
  return `${PREFIX}${issuer}#${repository}#${workflow}`
}

export function parseIdentity(text: string): BuildIdentity | undefined {
  const [, issuer, repository, workflow] = WRITTEN.exec(text) ?? []
  if (issuer === undefined || repository === undefined || workflow === undefined) return undefined
  return { issuer, repository, workflow }
}

/** For people. */
export function identityWords(text: string): string {
  const { issuer, repository, workflow } = parseIdentity(text)!
  return `${workflow} of ${repository.replace(/^https:\/\//, '')} (${new URL(issuer).host})`
}

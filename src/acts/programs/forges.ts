/** Command lines of forges: what is published, deleted, merged and given away there. */

import type { Call, Effect, Programs } from '../program.ts'
import { STORED_SECRET } from './cloud-secrets.ts'

export const FORGES = (): Programs => ({
  'gh glab hub': {
    options: {
      send: '--body-file --notes-file',
      value:
        '-R --repo --hostname -F --field -f --raw-field -H --header -X --method --jq -q --template -t --json -L --limit -B --base -b --body --title',
    },
    commands: {
      repo: {
        commands: {
          delete: { does: { does: 'delete', place: 'registry', why: 'deletes a repository' } },
          archive: { does: { does: 'delete', place: 'registry', why: 'archives a repository' } },
          edit: {
            options: { value: '--visibility --description' },
            acts: (call) =>
              call.values('--visibility').length > 0
                ? [{ does: 'publish', place: 'registry', why: 'changes who sees the repository' }]
                : [],
          },
          'deploy-key': {
            with: {
              '=add': { does: { does: 'publish', place: 'registry', why: 'lets a key in from now on' } },
              '=delete': { does: { does: 'delete', place: 'registry', why: 'deletes it on the forge' } },
            },
          },
          clone: { operands: ['host', 'value*'] },
          'list view create fork rename set-default sync unarchive': {},
        },
      },
      delete: { does: { does: 'delete', place: 'registry', why: 'deletes a repository' } },
      'release secret variable ssh-key gpg-key label cache codespace cs run issue gist ruleset environment deploy-key':
        {
          with: {
            '=delete =delete-asset =remove': {
              does: { does: 'delete', place: 'registry', why: 'deletes it on the forge' },
            },
          },
          commands: {
            delete: { does: { does: 'delete', place: 'registry', why: 'deletes it on the forge' } },
            set: {
              options: {
                send: '-f --env-file',
                value: '-b --body -e --env -o --org -a --app -u --user -v --visibility -R --repo',
              },
            },
            create: {
              options: { send: '-F --body-file --notes-file' },
              acts: (call) => [
                ...uploaded(call),
                ...(call.commands.includes('release') && !call.given('-d --draft')
                  ? [{ does: 'publish', place: 'registry', why: 'publishes a release' } as const]
                  : []),
              ],
            },
            'edit comment': { options: { send: '-F --body-file --notes-file' } },
            upload: { operands: ['value', 'send*'] },
            add: {
              acts: ({ commands }) =>
                /-key$/.test(commands[0] ?? '')
                  ? [{ does: 'publish', place: 'registry', why: 'lets a key in from now on' }]
                  : [],
            },
            'list ls view download watch rerun cancel close status': {},
          },
        },
      pr: {
        commands: {
          merge: {
            with: {
              '--admin': { does: { does: 'publish', place: 'registry', why: 'merges without the checks' } },
            },
          },
          'list view create checkout diff status checks comment edit ready close review': {},
        },
      },
      mr: {},
      auth: {
        commands: {
          token: { does: STORED_SECRET },
          status: {
            options: { flag: '-t --show-token' },
            with: { '--show-token -t': { does: STORED_SECRET } },
          },
          'login logout refresh setup-git switch': {},
        },
      },
      api: {
        options: { value: '-X --method -F --field -f --raw-field --input -H --header -q --jq -t --template' },
        acts: forgeApi,
      },
      alias: {
        commands: {
          set: {
            operands: ['value', 'value*'],
            acts: ({ operands }) =>
              operands[1]?.text.startsWith('!')
                ? [{ script: { ...operands[1], text: operands[1].text.slice(1) } }]
                : [],
          },
          list: {},
        },
      },
      extension: { commands: { 'install upgrade': { operands: 'package' }, 'list remove': {}, exec: {} } },
      workflow: {
        commands: {
          disable: { does: { does: 'publish', place: 'registry', why: 'switches the checks off' } },
          'list view run enable': {},
        },
      },
      'search browse status org project attestation config completion': {},
    },
  },
})

/** `gh gist create file`, `gh release create v1 file`. */
function uploaded({ operands, commands }: Call): readonly Effect[] {
  const files = commands.includes('gist') ? operands : commands.includes('release') ? operands.slice(1) : []
  return files.flatMap((path): Effect[] => [
    { does: 'read', path },
    { does: 'send', path },
  ])
}

/** `gh api -X DELETE …` and calls that change who may do what. */
function forgeApi(call: Call): readonly Effect[] {
  const method = call.values('-X --method')[0]?.text.toUpperCase()
  const deletes = call
    .values('-f --raw-field -F --field')
    .some(({ text }) => /^query=\s*mutation\b[\s\S]*\bdelete[A-Z]\w*\s*\(/.test(text))
  if (method === 'DELETE' || deletes)
    return [{ does: 'delete', place: 'registry', why: 'deletes it on the forge' }]
  const [path] = call.operands
  const opens = call
    .values('-f --raw-field -F --field')
    .some(({ text }) => /^(?:private=false|visibility=public)$/.test(text))
  return (/^(?:PUT|POST|PATCH)$/.test(method ?? '') && ACCESS.test(path?.text ?? '')) ||
    (method === 'PATCH' && opens)
    ? [{ does: 'publish', place: 'registry', why: 'changes who may do what on the forge' }]
    : []
}

const ACCESS =
  /\/(?:protection|protected_branches|collaborators|members|memberships|rulesets|keys|hooks|deploy_keys|invitations)(?:\/|$|\?)/

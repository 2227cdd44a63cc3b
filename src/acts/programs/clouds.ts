/** Command lines of clouds and of what is built on them: what is gone afterwards. */

import type { Call, Done, Effect, Programs } from '../program.ts'
import { printsSecrets, STORED_SECRET } from './cloud-secrets.ts'
import { isSecretName } from './secrets.ts'
import { commandOption } from './services.ts'

const gone = (why: string): Done => ({ does: 'delete', place: 'cloud', why })

/** One of the words of the command (not of its values) is a verb that destroys. */
function verbs(
  pattern: RegExp,
  inert = /^--?(?:dry-?run|help|no-execute|preview)(?:=|$)/,
): (call: Call) => readonly Effect[] {
  return ({ args }: Call): readonly Effect[] => {
    if (args.some(({ text }) => inert.test(text))) return []
    // An option may take the next word; the few that do not are known.
    const words = args
      .map(({ text }) => text)
      .filter((text, at, all) => {
        const before = all[at - 1] ?? ''
        const isValue = before.startsWith('-') && !before.includes('=') && !FLAGS.test(before)
        return !text.startsWith('-') && !isValue
      })
    const at = words.slice(0, 6).findIndex((word) => pattern.test(word) || READS.test(word))
    const verb = words[at]
    return verb === undefined || READS.test(verb) ? [] : [{ does: 'delete', place: 'cloud', why: `${verb}` }]
  }
}

/** After such a verb come names. */
const READS =
  /^(?:list|ls|describe|show|get|view|cat|export|search|help|create|status|logs?|get-\w+|list-\w+|describe-\w+)$/
const FLAGS = /^(?:-q|-y|-f|-v|--quiet|--yes|--force|--verbose|--debug|--async|--no-wait)$/

const CHANGED: Done = {
  does: 'write',
  place: 'cloud',
  why: 'changes the infrastructure without asking',
}

export const CLOUDS = (): Programs => ({
  aws: {
    options: {
      value: '--profile --region --output --endpoint-url --query --cli-input-json --color --ca-bundle',
      flag: '--debug --no-cli-pager --no-paginate --no-sign-request',
    },
    inert: '--dryrun --dry-run --generate-cli-skeleton =help',
    commands: {
      s3: {
        options: {
          value: '--exclude --include --acl --storage-class --sse',
          flag: '--recursive --quiet --only-show-errors',
        },
        recursive: '--recursive',
        commands: {
          rm: { does: gone('deletes objects of a bucket') },
          rb: { does: gone('deletes a bucket') },
          sync: {
            recursive: true,
            operands: ['remote', 'remote_write'],
            acts: leaves,
            with: { '--delete': { does: gone('deletes what the source does not have') } },
          },
          'cp mv': {
            operands: ['remote', 'remote_write'],
            acts: (call) => [...leaves(call), ...arrives(call)],
            fetches: true,
          },
          'ls mb presign website': {},
        },
      },
      configure: {
        commands: {
          'export-credentials': { does: STORED_SECRET },
          get: {
            acts: ({ operands }) =>
              operands.some(({ text }) => isSecretName(text) && !/_key_id$/.test(text))
                ? [{ does: 'reveal_secret', place: 'secret', why: 'prints a stored secret' }]
                : [],
          },
          'list set sso import': {},
        },
      },
    },
    acts: (call) => [
      ...awsVerb([
        ...call.commands,
        ...call.operands.map(({ text }) => text),
        ...call.args.map(({ text }) => text).filter((text) => text.startsWith('--no-')),
      ]),
      ...printsSecrets(call),
    ],
  },
  gcloud: {
    inert: '--dry-run',
    acts: (call) => [
      ...verbs(/^(?:delete|destroy|remove|rm|purge|reset|delete-\w+|remove-iam-policy-binding)$/)(call),
      ...moreRights(call, /\b(?:add-iam-policy-binding|set-iam-policy|service-accounts keys create)\b/),
      ...(/^services disable\b/.test(call.operands.map(({ text }) => text).join(' ')) &&
      call.args.some(({ text }) => text === '--force')
        ? [gone('services disable') as Effect]
        : []),
      ...printsSecrets(call),
      ...(/^storage (?:cp|mv|rsync)\b/.test(call.operands.map(({ text }) => text).join(' '))
        ? leaves({ ...call, operands: call.operands.slice(2) })
        : []),
    ],
  },
  gsutil: {
    options: { flag: '-m -q', value: '-o -h -u' },
    inert: '-n',
    commands: {
      rm: { does: gone('deletes objects of a bucket') },
      rb: { does: gone('deletes a bucket') },
      rsync: {
        recursive: true,
        operands: ['remote', 'remote_write'],
        acts: leaves,
        with: { '-d': { does: gone('deletes what the source does not have') } },
      },
      'cp mv': {
        operands: ['remote*', 'remote_write'],
        acts: (call) => [...leaves(call), ...arrives(call)],
        fetches: true,
      },
      cat: { operands: 'host', fetches: true },
      'iam acl': {
        acts: ({ operands }) =>
          operands.some(({ text }) =>
            /^(?:allUsers|allAuthenticatedUsers|AllUsers|public-read\S*)\b/.test(text),
          )
            ? [{ does: 'escalate', place: 'cloud', why: 'lets everybody see a bucket' }]
            : [],
      },
      'ls stat du': {},
    },
  },
  az: {
    options: { value: '-f --file -s --source' },
    acts: (call) => [
      ...verbs(/^(?:delete|purge|delete-\w+|remove|deallocate|failover|reset|regenerate|delete-batch)$/)(
        call,
      ),
      ...moreRights(
        call,
        /\b(?:role assignment create|ad sp create-for-rbac|ad (?:sp|app) credential reset)\b/,
      ),
      ...printsSecrets(call),
      ...(call.operands[0]?.text === 'storage' ? call.values('-f --file -s --source') : []).flatMap(
        (path): Effect[] => [
          { does: 'read', path, certain: false },
          { does: 'send', path, certain: false },
        ],
      ),
    ],
  },
  'doctl linode-cli hcloud scw vultr-cli oci ibmcloud aliyun openstack exo civo upctl': {
    acts: (call) => [
      ...verbs(/^(?:delete|destroy|remove|rm|terminate|purge|delete-\w+|\w+-delete|rebuild)$/)(call),
      ...printsSecrets(call),
    ],
  },
  azcopy: {
    inert: '--dry-run',
    commands: {
      'remove rm': { does: gone('deletes blobs') },
      sync: {
        with: {
          '--delete-destination --delete-destination=true': {
            does: gone('deletes what the source does not have'),
          },
        },
      },
      'copy cp list ls jobs login logout': {},
    },
  },
  's3cmd s5cmd mc': {
    inert: '-n --dry-run',
    commands: {
      'del rm rb delete': { does: gone('deletes objects of a bucket') },
      'ls cp sync mirror cat': {},
    },
  },
  'terraform tofu terragrunt': {
    options: {
      value: '-chdir -target -var -var-file -state -out -lock-timeout -parallelism -replace',
      flag: '-auto-approve -destroy -json -refresh-only',
    },
    single: true,
    commands: {
      destroy: { does: gone('destroys the infrastructure') },
      apply: {
        with: {
          '-destroy --destroy': { does: gone('destroys the infrastructure') },
          '-auto-approve --auto-approve': {
            does: CHANGED,
          },
        },
      },
      state: {
        commands: {
          'rm push': { does: gone('removes resources from the state') },
          'list show mv pull replace-provider': {},
        },
      },
      workspace: {
        commands: {
          delete: { with: { '-force --force': { does: gone('deletes a workspace with its state') } } },
          'list show select new': {},
        },
      },
      'taint untaint': {},
      'force-unlock': {},
      'run-all run stack': { with: { '=destroy': { does: gone('destroys the infrastructure') } } },
      'destroy-all': { does: gone('destroys the infrastructure') },
      'plan init validate fmt show output providers console graph get import refresh version test': {},
    },
  },
  pulumi: {
    options: { value: '-s --stack -C --cwd' },
    inert: '--preview-only',
    commands: {
      'destroy down dn': { does: gone('destroys the infrastructure') },
      stack: { with: { '=rm': { does: gone('deletes a stack') } } },
      state: { with: { '=delete': { does: gone('removes resources from the state') } } },
      'up update': { with: { '-y --yes -f --skip-preview': { does: CHANGED } } },
      'preview refresh': {},
    },
  },
  'cdk cdktf sst sls serverless sam copilot-cli amplify architect chalice zappa ecs-cli': {
    commands: {
      'destroy remove delete undeploy': { does: gone('destroys what was deployed') },
      'deploy synth diff list ls bootstrap': {},
    },
  },
  'ansible-playbook ansible-pull': {
    options: {
      value: '-i --inventory -e --extra-vars -l --limit -t --tags -u --user -f --forks',
      read: '--vault-password-file',
    },
    inert: '-C --check --syntax-check --list-hosts --list-tasks',
  },
  'ansible-vault': { operands: 'value' },
  ansible: {
    options: { value: '-i --inventory -m --module-name -u --user -f --forks -e --extra-vars -a --args' },
    acts: (call) => {
      const module = call.values('-m --module-name')[0]?.text ?? 'command'
      if (/^(?:.*\.)?file$/.test(module))
        return call.values('-a --args').flatMap(({ text }): Effect[] => {
          const [, path] = /(?:^|\s)(?:path|dest|name)=(\S+)/.exec(text) ?? []
          return path && /(?:^|\s)state=absent\b/.test(text)
            ? [{ does: 'delete', path: { text: path }, recursive: true }]
            : []
        })
      return /^(?:.*\.)?(?:shell|command|raw|script)$/.test(module)
        ? call.values('-a --args').map((script) => ({ script, elsewhere: 'ansible' }))
        : []
    },
  },
  'packer vault-operator nomad boundary waypoint': {
    single: true,
    commands: {
      job: { with: { '-purge --purge': { does: gone('purges a job') } } },
      stop: { with: { '-purge --purge': { does: gone('purges a job') } } },
      system: { with: { '=gc': { does: gone('removes dead jobs') } } },
      'build validate': {},
    },
  },
  heroku: {
    options: { value: '-a --app -r --remote --confirm' },
    acts: (call) => [
      ...printsSecrets(call),
      ...(/^(?:(?:apps|addons|domains|clients|authorizations|pipelines|keys|drains|certs):(?:destroy|remove|revoke|clear)|pg:(?:reset|kill|killall|promote|push|pull|upgrade)|apps:leave|releases:rollback|ps:kill|config:unset|access:remove|members:remove|spaces:destroy|redis:reset)/.test(
        call.operands[0]?.text ?? '',
      ) || /^(?:destroy)$/.test(call.operands[0]?.text ?? '')
        ? [{ does: 'delete', place: 'cloud', why: call.operands[0]!.text } as const]
        : []),
    ],
  },
  'fly flyctl': {
    acts: printsSecrets,
    commands: {
      destroy: { does: gone('destroys an app') },
      'apps app volumes volume vol postgres pg machine machines m redis ips certs secrets ': {
        with: {
          '=destroy =delete =rm =remove =unset =release': {
            does: gone('destroys an app, a volume or a machine'),
          },
        },
      },
      ssh: { options: { script: '-C --command' }, elsewhere: true, operands: 'value' },
      'status list deploy logs': {},
    },
  },
  'vercel now': {
    options: { value: '-t --token -S --scope' },
    commands: {
      'remove rm': { does: gone('removes a deployment') },
      'project projects domains dns env certs alias secrets teams integration blob': {
        with: { '=rm =remove =del =delete': { does: gone('removes a project, a domain or a variable') } },
      },
      'deploy list ls dev build pull': {},
    },
  },
  'netlify ntl': {
    acts: (call) => [
      ...printsSecrets(call),
      ...(/^(?:sites:delete|env:unset|blobs:delete|unlink-x)$/.test(call.operands[0]?.text ?? '')
        ? [{ does: 'delete', place: 'cloud', why: call.operands[0]!.text } as const]
        : []),
    ],
  },
  'wrangler cf': {
    acts: (call) => [
      ...verbs(/^(?:delete|delete-\w+|kv:namespace-delete|purge|remove|undeploy)$/)(call),
      ...commandOption(call),
    ],
  },
  'firebase supabase railway render appwrite surge': {
    acts: (call) => [
      ...printsSecrets(call),
      // Of what runs on this machine, the next start makes a new one.
      ...(call.name === 'supabase' && !call.args.some(({ text }) => /^--(?:linked|db-url)/.test(text))
        ? verbs(/^(?:delete|remove|destroy)$/)
        : verbs(
            /^(?:(?:firestore|database|functions|hosting|projects|apps|auth|extensions)(?::\w+)*:(?:delete|remove|disable|uninstall)|delete|down|reset|remove|teardown|destroy)$/,
          ))(call),
    ],
  },
  vault: {
    commands: {
      'delete destroy': { does: gone('deletes secrets') },
      kv: {
        commands: {
          'delete destroy  ': { does: gone('deletes secrets') },
          metadata: { with: { '=delete': { does: gone('deletes secrets') } } },
          get: { does: STORED_SECRET },
          'list put patch': {},
        },
      },
      'secrets auth audit': {
        with: { '=disable': { does: gone('disables an engine with all its secrets') } },
      },
      'lease token': { with: { '=revoke': { does: gone('revokes tokens') } } },
      policy: { with: { '=delete': { does: gone('deletes a policy') } } },
      operator: { with: { '=seal =rekey =step-down': { does: gone('seals or rekeys the vault') } } },
      read: { does: STORED_SECRET },
      'status list login': {},
    },
  },
  'pass gopass lpass': {
    commands: {
      show: { does: STORED_SECRET },
      'rm delete': { does: gone('deletes secrets') },
      'ls list find grep insert generate git edit': {},
    },
  },
  'op bw doppler infisical chamber': {
    commands: {
      item: {
        with: {
          '=delete': { does: gone('deletes secrets') },
          '--reveal': { does: STORED_SECRET },
        },
        options: { value: '--fields --vault --format' },
        acts: ({ operands, values }) =>
          operands[0]?.text === 'get' && values('--fields').some(({ text }) => isSecretName(text))
            ? [STORED_SECRET as Effect]
            : [],
      },
      export: { does: STORED_SECRET },
      secrets: {
        with: {
          '': { does: STORED_SECRET },
          '=get =download': { does: STORED_SECRET },
          '=delete =rm =revoke': { does: gone('deletes secrets') },
        },
      },
      'vault document group user projects environments configs': {
        with: { '=delete =rm =revoke': { does: gone('deletes secrets') } },
      },
      'rm delete': { does: gone('deletes secrets') },
      run: {
        acts: ({ args }) => {
          const at = args.findIndex(({ text }) => text === '--')
          return at === -1 ? [] : [{ argv: args.slice(at + 1) }]
        },
      },
      read: { does: STORED_SECRET },
      'get show': { with: { '=password =totp =item =notes': { does: STORED_SECRET } } },
      'list ls': { with: { '=items': { does: STORED_SECRET } } },
    },
  },
})

/** What came from a bucket, into a file or (`-`) to what reads the output. */
function arrives({ operands: [from, to] }: Call): readonly Effect[] {
  if (!from || !to || !/^[a-z0-9]+:\/\//.test(from.text) || /^[a-z0-9]+:\/\//.test(to.text)) return []
  const host = from.text.replace(/^\w+:\/\//, '').replace(/\/.*$/s, '')
  return to.text === '-' ? [{ does: 'connect', host }] : [{ from, to, host }]
}

/** Files of this machine that go to a bucket leave. */
function leaves({ operands, row, given }: Call): readonly Effect[] {
  const [from, to] = operands
  const recursive = row.recursive === true || given('--recursive -r -R')
  if (!from || !to || !/^[a-z0-9]+:\/\//.test(to.text) || /^[a-z0-9]+:\/\//.test(from.text)) return []
  return [{ does: 'send', path: from, host: to, ...(recursive ? { recursive } : {}) }]
}

/** Verbs of the API: the service, then the operation. */
function awsVerb(words: readonly string[]): readonly Effect[] {
  const [service = '', operation = ''] = words
  if (service === 's3') return []
  // What hangs on another thing (a policy of a role, a tag) can be put back.
  if (/^(?:delete-tags|delete-\w+-policy|detach-\w+-policy|delete-access-key-x)$/.test(operation)) return []
  if (
    /^(?:(?:batch-|admin-)?delete|terminate|destroy|purge|stop-logging|leave-organization|close-account|deregister|remove|reset|schedule-key-deletion|cancel-key|disable-key|release-address|revoke|empty)(?:-|$)/.test(
      operation,
    )
  )
    return [{ does: 'delete', place: 'cloud', why: `${service} ${operation}` }]
  if (
    (service === 'sts' && /^assume-role(?:-|$)/.test(operation)) ||
    (service === 'iam' &&
      (/^(?:create-access-key|attach-user-policy|put-user-policy|create-login-profile)$/.test(operation) ||
        (/^attach-(?:role|group)-policy$/.test(operation) &&
          words.some((word) => /\/(?:Administrator|PowerUser|IAMFull)Access$/.test(word))))) ||
    (operation === 'authorize-security-group-ingress' &&
      words.some((word) => /0\.0\.0\.0\/0|::\/0/.test(word)))
  )
    return [{ does: 'escalate', place: 'cloud', why: `${service} ${operation}` }]
  // What kept it from being deleted, or copies of it.
  if (
    words.some((word) => /^--no-(?:deletion-protection|disable-api-termination)/.test(word)) ||
    (operation === 'put-bucket-versioning' && words.some((word) => /Suspended/.test(word))) ||
    (operation === 'change-resource-record-sets' &&
      words.some((word) => /["']?Action["']?\s*[:=]\s*["']?DELETE/.test(word)))
  )
    return [{ does: 'delete', place: 'cloud', why: `${service} ${operation}` }]
  const isForAll =
    /^(?:put-bucket-policy|put-public-access-block|delete-public-access-block)$/.test(operation) ||
    (/^put-(?:bucket|object)-acl$/.test(operation) && words.some((word) => /^public-/.test(word)))
  return service === 's3api' && isForAll
    ? [{ does: 'escalate', place: 'cloud', why: `${service} ${operation}` }]
    : []
}

/** Who may do what in a project or a subscription, and keys for those who may. */
function moreRights({ operands }: Call, commands: RegExp): readonly Effect[] {
  const words = operands.map(({ text }) => text).join(' ')
  const [found] = commands.exec(words) ?? []
  return found ? [{ does: 'escalate', place: 'cloud', why: found }] : []
}

/** Containers and clusters. */

import type { Call, Done, Effect, Program, Programs } from '../program.ts'
import type { Word } from '../word.ts'

const gone = (why: string): Done => ({ does: 'delete', place: 'container', why })
const ofCluster = (why: string): Done => ({ does: 'delete', place: 'cluster', why })

const RUN: Program = {
  options: {
    value:
      '-e --env -v --volume -p --publish -w --workdir -u --user -h --hostname --name --network --net --entrypoint --mount -l --label --link --add-host --cpus -m --memory --restart --platform --gpus --device --cap-add --cap-drop --security-opt --ulimit --tmpfs --shm-size --pull --dns --ip --log-driver --log-opt --expose --runtime --pid --ipc --uts --userns --cgroupns --stop-signal --cidfile -c --cpu-shares --volumes-from --group-add --health-cmd --annotation --label-file --isolation',
    read: '--env-file',
    flag: '-i -t -d -it --rm --privileged --init --interactive --tty --detach -P --read-only',
  },
  elsewhere: true,
  stops: true,
  acts: runs,
}

const ENVIRONMENT_OF_CONTAINER: Done = {
  does: 'reveal_secret',
  place: 'environment',
  why: 'prints the variables of a container',
}

const DOCKER: Readonly<Record<string, Program>> = {
  'run create': RUN,
  exec: {
    options: {
      value: '-e --env -u --user -w --workdir --detach-keys',
      read: '--env-file',
      flag: '-i -t -d -it --privileged --interactive --tty',
    },
    elsewhere: true,
    operands: ['value', 'command'],
  },
  rm: {
    acts: ({ operands, given }) =>
      given('-f --force') &&
      operands.some(({ text }) =>
        /^(?:\$\(|`)\s*(?:docker|podman|nerdctl)\s+(?:container\s+)?(?:ps|ls)\b/.test(text),
      )
        ? [{ does: 'delete', place: 'container', why: 'removes every container' }]
        : [],
  },
  inspect: {
    options: { value: '-f --format --type', flag: '-s --size' },
    // Without a format it prints the variables of the container among the rest.
    acts: (call) =>
      call.values('-f --format').some(({ text }) => /\.Env\b/.test(text))
        ? [ENVIRONMENT_OF_CONTAINER as Effect]
        : [],
  },
  'rmi stop start restart kill pause ps images logs top stats port diff version info history events wait attach rename tag search':
    {},
  build: {
    options: {
      value: '-t --tag --build-arg --target --platform --secret --ssh --cache-from --label --network',
      read: '',
      flag: '-q --no-cache --pull --push',
    },
    operands: 'value',
  },
  push: { does: { does: 'publish', place: 'registry', why: 'pushes an image' } },
  login: { options: { secret: '-p --password', value: '-u --username' } },
  cp: { operands: ['remote*', 'remote_write'], recursive: true },
  export: { options: { write: '-o --output' } },
  save: { options: { write: '-o --output' } },
  'load import': { options: { read: '-i --input' } },
  system: {
    commands: {
      prune: { does: gone('deletes everything that no container uses') },
      reset: { does: gone('deletes every container, image and volume') },
      'df info events': {},
    },
  },
  volume: {
    commands: {
      'rm remove prune': { does: gone('deletes volumes with their data') },
      'ls create inspect': {},
    },
  },
  'container image network builder buildx context secret config': {
    commands: {
      run: RUN,
      exec: { elsewhere: true, operands: ['value', 'command'] },
      prune: {},
      'ls list rm inspect create': {},
    },
  },
  'swarm node service stack': {
    with: { '=rm =remove =leave': { does: gone('removes a service, a stack or a node') } },
  },
  compose: composeRow(),
}

function composeRow(): Program {
  return {
    options: {
      value: '-f --file -p --project-name --profile --env-file --project-directory --parallel --progress',
    },
    commands: {
      'up start stop restart build logs ps pull top events images port pause unpause create kill version ls':
        {},
      config: { with: { '--environment': { does: ENVIRONMENT_OF_CONTAINER } } },
      down: { with: { '-v --volumes': { does: gone('deletes volumes with their data') } } },
      rm: { with: { '-v --volumes': { does: gone('deletes volumes with their data') } } },
      exec: {
        options: { value: '-e --env -u --user -w --workdir --index', flag: '-T -d --privileged' },
        elsewhere: true,
        operands: ['value', 'command'],
      },
      run: {
        options: {
          value: '-e --env -u --user -w --workdir -v --volume --name --entrypoint -p --publish -l --label',
          flag: '--rm -T -d --no-deps --service-ports',
        },
        elsewhere: true,
        operands: ['value', 'command'],
      },
      push: { does: { does: 'publish', place: 'registry' } },
    },
  }
}

export const CONTAINERS = (): Programs => ({
  'docker podman nerdctl finch': {
    options: {
      value:
        '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --connection --url',
      flag: '-D --debug',
    },
    commands: DOCKER,
  },
  'docker-compose podman-compose': composeRow(),
  'lxc incus multipass vagrant limactl virsh': {
    options: { value: '-c --connect' },
    commands: {
      'delete destroy undefine vol-delete pool-delete purge': { does: gone('deletes a machine') },
      exec: { elsewhere: true, operands: ['value', 'command'] },
      'ssh shell': { options: { script: '-c --command' }, elsewhere: true, operands: ['value', 'command'] },
      'list start stop info': {},
    },
  },
  'kubectl k oc kubecolor microk8s.kubectl': {
    options: {
      value:
        '-n --namespace --context --cluster --user --kubeconfig -s --server --as --as-group --token --request-timeout -l --selector -o --output --field-selector -c --container -p --patch --type --replicas --image --port --sort-by --since --tail --timeout --grace-period --cascade -L --label-columns -v --v --overrides --env --restart --target',
      read: '',
      flag: '-A --all-namespaces --all -i -t -it --stdin --tty --force --watch -w --now --wait -R --recursive --rm',
    },
    commands: {
      delete: {
        options: { read: '', value: '-f --filename -k --kustomize' },
        acts: kubeDelete,
      },
      drain: { acts: unlessDry('moves everything off a node') },
      cordon: {},
      exec: { elsewhere: true, acts: kubeExec, stops: false },
      debug: { elsewhere: true, acts: kubeExec },
      run: { elsewhere: true, acts: kubeExec },
      'attach port-forward proxy logs top describe explain api-resources api-versions version cluster-info auth diff wait events completion':
        {},
      get: { acts: kubeSecrets },
      config: {
        with: {
          '--raw': {
            does: { does: 'reveal_secret', place: 'secret', why: 'prints the keys of the cluster' },
          },
        },
      },
      extract: {
        with: {
          '--to': { does: { does: 'reveal_secret', place: 'secret', why: 'prints secrets of the cluster' } },
        },
      },
      cp: { elsewhere: true, operands: ['remote*', 'remote_write'] },
      scale: {
        acts: ({ values }) =>
          values('--replicas').some(({ text }) => text === '0')
            ? [{ does: 'delete', place: 'cluster', why: 'stops every pod of it' }]
            : [],
      },
      create: {
        acts: (call) =>
          // `create secret … -o yaml` prints what the file holds.
          call.operands[0]?.text === 'secret' &&
          call.values('-o --output').some(({ text }) => text !== 'name')
            ? call.values('--from-env-file --from-file').map((path) => ({
                does: 'read',
                path: { ...path, text: path.text.replace(/^[\w.-]+=/, '') },
              }))
            : /^clusterrolebindings?$/.test(call.operands[0]?.text ?? '') &&
                !isDry(call) &&
                call.args.some(({ text }) => /(?:^|=)(?:cluster-admin|admin)$/.test(text))
              ? [{ does: 'escalate', place: 'cloud', why: 'gives every right of the cluster' }]
              : call.operands[0]?.text === 'token'
                ? [{ does: 'reveal_secret', place: 'environment', why: 'prints a token of the cluster' }]
                : [],
      },
      'apply patch edit label annotate set expose autoscale rollout certificate taint uncordon': {},
      replace: { with: { '--force': { acts: unlessDry('deletes and makes resources again') } } },
    },
  },
  helm: {
    options: {
      value: '-n --namespace --kube-context --kubeconfig -f --values --set --version',
      flag: '--debug',
    },
    inert: '--dry-run',
    commands: {
      'uninstall delete del un': { does: ofCluster('removes a release') },
      rollback: {},
      repo: {
        commands: {
          add: { operands: 'value', acts: ({ operands }) => ofPlainHttp(operands.slice(1)) },
          'list ls update remove rm index': {},
        },
      },
      'install upgrade': { operands: 'value', acts: ({ operands }) => ofPlainHttp(operands) },
      'template lint list ls status get history search show pull dependency test package': {},
      push: { does: { does: 'publish', place: 'registry' } },
    },
  },
  helmfile: {
    commands: {
      destroy: { does: ofCluster('removes every release') },
      'apply sync diff lint list template': {},
    },
  },
  'kustomize skaffold tilt': {
    commands: { delete: { does: ofCluster('deletes what was deployed') }, 'build dev run': {} },
  },
  'argocd flux istioctl linkerd': {
    commands: {
      'app cluster repo proj': { with: { '=delete =rm': { does: ofCluster('deletes an application') } } },
      'delete uninstall': { does: ofCluster('removes it from the cluster') },
      get: {},
    },
  },
  'kind k3d minikube': {
    commands: {
      cluster: {
        commands: {
          delete: { does: { does: 'delete', place: 'container', why: 'deletes a local cluster' } },
          'create list start stop': {},
        },
      },
      delete: {
        does: { does: 'delete', place: 'container', why: 'deletes a local cluster', certain: false },
      },
      'create get start stop status': {},
    },
  },
  'eksctl kops rosa': {
    inert: '--dry-run',
    commands: { delete: { does: ofCluster('deletes a cluster') }, 'create get update': {} },
  },
  'kubeadm talosctl rke rke2-uninstall.sh k3s-uninstall.sh': {
    commands: { 'reset remove': { does: ofCluster('takes this machine out of the cluster') } },
  },
  crictl: { commands: { 'rmi rm rmp': { with: { '-a --all': { does: gone('deletes everything') } } } } },
})

/** `docker run -v /:/host image rm -rf /host` reaches this machine. */
function runs(call: Call): readonly Effect[] {
  const effects: Effect[] = []
  const mounts = call.values('-v --volume').map(({ text }) => text.split(':')[0]!)
  for (const { text } of call.values('--mount'))
    mounts.push(/(?:^|,)(?:source|src)=([^,]+)/.exec(text)?.[1] ?? '')
  if (mounts.some((path) => path === '/' || path === '/etc' || path.endsWith('docker.sock')))
    effects.push({ does: 'escalate', place: 'machine', why: 'gives a container the whole machine' })
  if (call.options.some(({ name, value }) => name === '--privileged' && value?.text !== 'false'))
    effects.push({ does: 'escalate', place: 'machine', why: 'starts a container with every right' })
  const grants = [...call.values('--cap-add'), ...call.values('--pid --ipc --uts --userns')]
  if (
    grants.some(({ text }) =>
      /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE|DAC_READ_SEARCH)$|^host$/i.test(text),
    )
  )
    effects.push({ does: 'escalate', place: 'machine', why: 'gives a container rights over the machine' })
  if (
    call
      .values('--device')
      .some(({ text }) => /^\/dev\/(?:sd|nvme|vd|xvd|hd|mem|kmem|disk|mapper)/.test(text))
  )
    effects.push({ does: 'escalate', place: 'machine', why: 'gives a container a disk' })
  if (call.values('--security-opt').some(({ text }) => /^(?:apparmor|seccomp)[=:]unconfined$/.test(text)))
    effects.push({ does: 'escalate', place: 'machine', why: 'starts a container without its confinement' })
  for (const path of mounts)
    if (/^[/~.]/.test(path))
      effects.push({ takes: { text: path } }, { guards: { text: path }, why: 'gives it to a container' })
  const [, ...command] = call.operands
  const entry = call.values('--entrypoint')[0]
  const argv = entry ? [entry, ...command] : command
  if (argv.length === 0) return effects
  // Where a folder of this machine is mounted, what is done in the container is done here.
  const bound = call
    .values('-v --volume')
    .map(({ text }) => text.split(':'))
    .filter(([path = '', inside]) => inside && /^(?:[/~$.]|[A-Za-z]:)/.test(path)) as [string, string][]
  const here = argv.map((word) => ({ ...word, text: outside(word.text, bound) }))
  effects.push(bound.length > 0 ? { argv: here } : { argv, elsewhere: call.name })
  return effects
}

/** Paths of the container as they are on this machine. */
function outside(text: string, bound: readonly [string, string][]): string {
  let changed = text
  for (const [path, inside] of bound)
    if (inside !== '/')
      changed = changed.replace(
        new RegExp(`(^|[\\s"'=])${inside.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')}(?=/|[\\s"']|$)`, 'g'),
        (_, before: string) => `${before}${path === '/' ? '' : path}`,
      )
  return changed === '' ? '/' : changed
}

function isDry(call: Call): boolean {
  return call.options.some(({ name, value }) => name === '--dry-run' && value?.text !== 'none')
}

function unlessDry(why: string) {
  return (call: Call): readonly Effect[] => (isDry(call) ? [] : [{ does: 'delete', place: 'cluster', why }])
}

/** One pod comes back by itself; a namespace, a volume or everything does not. */
function kubeDelete(call: Call): readonly Effect[] {
  if (isDry(call)) return []
  const kinds = (call.operands[0]?.text ?? '').split('/')[0]!.toLowerCase()
  const isBig =
    call.given('--all -A --all-namespaces') ||
    /(?:^|,)(?:all|ns|namespaces?|pv|persistentvolumes?|pvc|persistentvolumeclaims?|crds?|customresourcedefinitions?.*|nodes?|no|sts|statefulsets?|deploy|deployments?|clusterroles?|clusterrolebindings?|secrets?|storageclass.*)(?:,|$)/.test(
      kinds,
    )
  return isBig
    ? [{ does: 'delete', place: 'cluster', why: `deletes ${kinds || 'resources'} of the cluster` }]
    : [{ does: 'delete', place: 'cluster', why: 'deletes a resource of the cluster', certain: false }]
}

/** Whoever is between may change what comes. */
function ofPlainHttp(words: readonly Word[]): Effect[] {
  return words
    .filter(({ text }) => /^http:\/\/(?!localhost|127\.)/.test(text))
    .map((host) => ({
      does: 'install',
      place: 'remote',
      host,
      why: 'charts over a connection that anybody may change',
    }))
}

/** Secrets are shown with `-o`; their list is not. */
function kubeSecrets(call: Call): readonly Effect[] {
  const isSecret = /(?:^|,)secrets?(?:\/|,|$)/.test(call.operands[0]?.text ?? '')
  const shows = call
    .values('-o --output')
    .some(
      ({ text }) =>
        !/^(?:name|wide)$|^(?:jsonpath|go-template|custom-columns)=(?![\s\S]*(?:\bdata\b|\$|\.\.|@|\{\.?\}|\*\}))/i.test(
          text,
        ),
    )
  return isSecret && shows
    ? [{ does: 'reveal_secret', place: 'secret', why: 'prints secrets of the cluster' }]
    : []
}

/** `kubectl exec pod -- command`; before it stood without the dashes. */
function kubeExec({ args, operands, name }: Call): readonly Effect[] {
  const dashes = args.findIndex(({ text }) => text === '--')
  const command = dashes === -1 ? operands.slice(1) : args.slice(dashes + 1)
  return command.length > 0 ? [{ argv: command, elsewhere: name }] : []
}

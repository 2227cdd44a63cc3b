/** Package managers of languages: what comes from a registry, what runs from it, what goes there. */

import { isKnownIndex, ofIndexes } from '../known-indexes.ts'
import type { Call, Done, Effect, Program, Programs } from '../program.ts'
import type { Word } from '../word.ts'
import { forMachine, ofOwnPackage, removesFromMachine } from './own-package.ts'

const publishes = (why = 'publishes a package'): Done => ({ does: 'publish', place: 'registry', why })
const unpublishes: Done = { does: 'delete', place: 'registry', why: 'removes a published package' }

const NODE_OPTIONS = {
  cwd: '-C --dir --prefix --cwd',
  value:
    '-w --workspace --filter -F --registry --tag --loglevel --cache --userconfig --omit --include --otp --access --network-timeout --modules-folder',
  flag: '-g --global -D -O -E -P -S --save --save-dev --save-exact --save-peer --no-save --production --frozen-lockfile --ignore-scripts --silent -s -y --yes -r --recursive -q --quiet -f --force',
}

const EXEC: Program = {
  options: {
    script: '-c --call',
    value: '-p --package',
    flag: '-y --yes -n --no --no-install -q --quiet --ignore-existing',
  },
  stops: true,
  acts: (call) => [
    ...call.operands
      .slice(0, 1)
      .concat(call.values('-p --package --from --spec --with'))
      .flatMap(fromElsewhere),
    // yarn exec 'a line'
    ...(call.operands.length === 1 && /\s/.test(call.operands[0]!.text)
      ? [{ script: call.operands[0]! }]
      : []),
    ...(call.operands.length > 0
      ? [{ argv: [unversioned(call.operands[0]!), ...call.operands.slice(1)] }]
      : []),
  ],
}

/** Not from the registry: a repository or an address. */
export function fromElsewhere({ text }: { text: string }): Effect[] {
  return /^(?:git\+|git:|https?:|github:|gitlab:|bitbucket:|gist:|ssh:)|^[\w.-]+@git\+|^[\w-]+\/[\w.-]+(?:#.*)?$/.test(
    text,
  )
    ? [{ does: 'install', place: 'remote', why: `runs ${text}, which is in no registry` }]
    : []
}

/** `npm install owner/repository` is one of GitHub. */
const OF_FORGE = /^(?:github:|gitlab:|bitbucket:|gist:)|^[\w-]+\/[\w.-]+(?:#.*)?$/

function unversioned<T extends { text: string }>(word: T): T {
  return { ...word, text: word.text.replace(/^(@[^/]+\/)?([^@/]+)@.*$/, '$1$2').replace(/^@[^/]+\//, '') }
}

/** Whatever npm does, it may run the scripts of the package. */
const OWN_SCRIPTS: Effect = { file: { text: 'package.json' }, language: 'scripts', ifWritten: true }

/** Sources that the line itself wrote: what they say is what is run. */
function sourceFiles(names: readonly string[]): Effect[] {
  return names
    .filter((text) => /\.(?:go|rs|c|cc|cpp|cxx|java|kt|swift|zig|dart|d|nim|cs|hs|ml)$/.test(text))
    .map((text) => ({ file: { text }, language: 'other', ifWritten: true }))
}

const DROPPED = { does: 'delete', place: 'database', why: 'drops a database' } as const

const INSTALL: Program = {
  operands: 'package',
  with: { '-g --global --location=global': { does: forMachine('installs for the whole machine') } },
}

const EXEC_UVX: Program = {
  ...EXEC,
  options: {
    value: '--from --with --python -p --index-url --index --env-file',
    flag: '-q --isolated --offline',
  },
}

export const PACKAGES = (): Programs => ofOwnPackage(rows())

const rows = (): Programs => ({
  'npm pnpm yarn cnpm tyarn': {
    options: NODE_OPTIONS,
    acts: ({ commands }) => (/^(?:config|set|get|view|help)$/.test(commands[0] ?? '') ? [] : [OWN_SCRIPTS]),
    commands: {
      'install i in ins add isntall': {
        ...INSTALL,
        acts: (call) => [
          ...odd(call),
          ...call.operands.filter(({ text }) => OF_FORGE.test(text)).flatMap(fromElsewhere),
        ],
      },
      global: {
        commands: {
          add: { operands: 'package', does: forMachine('installs for the whole machine') },
          'remove list bin dir': {},
        },
      },
      'ci clean-install install-clean test t tst run-tests start stop restart build lint dev why ls list ll la outdated audit fund doctor view info show search docs repo home bugs help ping pack version  dedupe prune rebuild rb link ln update up upgrade set-script explain query sbom cache completion  workspace workspaces node policies store licenses patch import fetch setup env constraints plugin stage':
        {},
      root: { prints: (call) => globalFolder(call, 'lib/node_modules') },
      prefix: { prints: (call) => globalFolder(call, '') },
      bin: { prints: (call) => globalFolder(call, 'bin') },
      'run run-script rum urn': { stops: true },
      'exec x dlx': EXEC,
      pkg: {
        operands: 'value',
        // `npm pkg set scripts.x='…'`
        acts: ({ operands }) =>
          operands.flatMap((word): Effect[] => {
            const [, text] = /^scripts\.[^=]+=([\s\S]+)$/.exec(word.text) ?? []
            return text === undefined ? [] : [{ script: { ...word, text } }]
          }),
      },
      'create init innit': { options: { flag: '-y --yes' }, stops: true, operands: ['package', 'value*'] },
      publish: { inert: '--dry-run', does: publishes() },
      unpublish: { inert: '--dry-run', does: unpublishes },
      deprecate: {
        operands: ['value', 'value'],
        acts: ({ operands }) =>
          operands.length > 1
            ? [{ does: 'publish', place: 'registry', why: 'marks a package as deprecated' }]
            : [],
      },
      'owner access team org dist-tag': {
        with: {
          '=add =rm =grant =revoke =set =public =restricted': { does: publishes('changes who may publish') },
        },
      },
      token: {
        with: { '=create =revoke': { does: publishes('makes or revokes a token to publish with') } },
      },
      npm: {
        commands: {
          publish: { inert: '--dry-run', does: publishes() },
          unpublish: { does: unpublishes },
          'info login logout whoami audit tag': {},
        },
      },
      'config set get': { acts: nodeConfig },
      'remove rm uninstall un unlink r': {
        operands: 'value',
        with: { '-g --global': { does: removesFromMachine('removes software') } },
        acts: removesOwn,
      },
    },
    otherwise: { stops: true },
  },
  'npx pnpx bunx yarnpkg-dlx': EXEC,
  'corepack nvm fnm volta n': { operands: 'value' },
  'pip pip2 pip3': {
    options: { value: '--python --proxy --cache-dir --log --timeout --retries --cert' },
    commands: {
      install: {
        options: {
          read: '',
          value:
            '-r --requirement -c --constraint -t --target --prefix --root -i --index-url --extra-index-url -f --find-links -e --editable --platform --python-version --no-binary --only-binary --src --trusted-host',
          flag: '--user -U --upgrade --pre --no-deps --system --break-system-packages --force-reinstall -q',
        },
        inert: '--dry-run',
        operands: 'package',
        with: {
          '--break-system-packages --system': { does: forMachine('installs for the whole machine') },
        },
        acts: odd,
      },
      config: {
        acts: ({ operands }) =>
          operands[0]?.text === 'set' &&
          /(?:index-url|find-links|trusted-host)$/.test(operands[1]?.text ?? '')
            ? [{ does: 'write', place: 'machine', why: 'changes where packages come from' }]
            : [],
      },
      'download wheel': {
        options: {
          value:
            '-r --requirement -d --dest -w --wheel-dir -c --constraint -i --index-url --extra-index-url -f --find-links --trusted-host --platform --python-version --no-binary --only-binary',
        },
        acts: odd,
      },
      'uninstall list freeze show check search cache index inspect debug hash': {
        options: { value: '-r --requirement' },
      },
    },
  },
  uvx: EXEC_UVX,
  pipx: {
    options: { value: '--spec --python --from --with --index-url -p', flag: '-q --isolated' },
    commands: {
      run: EXEC,
      'install inject': { operands: 'package' },
      'list uninstall upgrade upgrade-all reinstall ensurepath environment tool': {},
    },
    otherwise: { ...EXEC },
  },
  'uv rye pdm poetry hatch pipenv conda mamba micromamba pixi': {
    options: {
      value:
        '--project --directory -p --python -n --name -c --channel --index-url --extra-index-url --with --from --env',
      cwd: '-C',
    },
    commands: {
      run: {
        options: { value: '--with --extra --group -m --module', flag: '--isolated --no-sync --frozen' },
        stops: true,
        operands: 'command',
      },
      tool: { commands: { run: EXEC, install: { operands: 'package' }, 'list upgrade uninstall': {} } },
      pip: {
        commands: {
          install: {
            options: {
              value:
                '-r --requirement -e --editable -i --index-url --extra-index-url --default-index --index --trusted-host --allow-insecure-host -f --find-links -c --constraint --target --prefix',
            },
            operands: 'package',
            acts: odd,
            with: {
              '--system --break-system-packages': { does: forMachine('installs for the whole machine') },
            },
          },
          'list freeze uninstall compile sync show check tree': {},
        },
      },
      'add install': {
        options: {
          value:
            '-r --requirements --group -G --index --default-index --index-url --extra-index-url --trusted-host',
        },
        operands: 'package',
        acts: odd,
      },
      source: {
        commands: { add: { operands: 'value', acts: ({ operands }) => ofIndexes(operands.slice(1)) } },
      },
      publish: { inert: '--dry-run', does: publishes() },
      'sync lock build version init venv python remove update show list env config shell tree cache export':
        {},
    },
  },
  'twine flit': { commands: { upload: { does: publishes() }, publish: { does: publishes() }, check: {} } },
  'gcc cc clang g++ c++ clang++ tcc rustc javac kotlinc swiftc ghc-make zig nim': {
    options: { write: '-o', value: '-x -I -L -l -D -std --edition --crate-type' },
    single: true,
    language: 'other',
    // What it writes is no text.
    copies: true,
    acts: ({ operands, args, input }) => [
      ...codeOf(args),
      ...sourceFiles(operands.map(({ text }) => text)),
      ...(args.some(({ text }) => text === '-') && input?.text !== undefined
        ? [{ code: 'other', text: { text: input.text } } as const]
        : []),
    ],
  },
  cargo: {
    options: { value: '--manifest-path --color --config -Z', cwd: '-C' },
    commands: {
      publish: { inert: '-n --dry-run', does: publishes() },
      yank: { options: { value: '--version --vers --registry' }, does: unpublishes },
      owner: { with: { '-a --add -r --remove': { does: publishes('changes who may publish') } } },
      install: {
        options: { value: '--git --branch --version --path --root --features', flag: '--locked --force' },
        operands: 'package',
        does: forMachine('installs a program'),
        acts: ({ values }) => values('--git').flatMap(ofRepository),
      },
      run: { stops: true },
      add: {
        options: {
          value: '--git --branch --tag --rev --path --registry -F --features -p --package --rename',
        },
        operands: 'package',
        acts: ({ values }) => values('--git').flatMap(ofRepository),
      },
      'build b check c test t bench clippy fmt doc clean new init remove update search tree metadata fix login vendor uninstall':
        {},
    },
  },
  gem: {
    commands: {
      install: {
        options: { value: '-v --version -i -n --source' },
        operands: 'package',
        does: forMachine('installs a program'),
        acts: ({ operands, values }) => [
          ...operands.filter(({ text }) => /^https?:/.test(text)).flatMap(fromElsewhere),
          ...ofIndexes(values('--source')),
        ],
      },
      sources: {
        options: { value: '-a --add -r --remove' },
        acts: ({ values }) => ofIndexes(values('-a --add')),
      },
      push: { does: publishes() },
      yank: { does: unpublishes },
      owner: { with: { '-a --add -r --remove': { does: publishes('changes who may publish') } } },
      'list search build uninstall update env info which contents': {},
    },
  },
  'bundle bundler': {
    commands: { exec: { stops: true, operands: 'command' }, 'install update add check': {} },
  },
  composer: {
    commands: {
      global: { with: { '=require =update': { does: forMachine('installs for the whole machine') } } },
      exec: { stops: true, operands: 'command' },
      'install require update remove': {},
    },
  },
  go: {
    commands: {
      install: { operands: 'package', does: forMachine('installs a program') },
      run: {
        stops: true,
        operands: 'value',
        acts: ({ operands, input }) =>
          operands
            .slice(0, 1)
            .flatMap(({ text }): Effect[] =>
              /^(?:-|\/dev\/stdin)$/.test(text) && input?.text !== undefined
                ? [{ code: 'other', text: { text: input.text } }]
                : /^[\w-]+(?:\.[\w-]+)+\/.*@/.test(text)
                  ? [{ does: 'install', place: 'remote', why: `runs ${text}` }]
                  : sourceFiles([/^\.?\/?$/.test(text) ? 'main.go' : text]),
            ),
      },
      generate: {},
      env: {
        options: { flag: '-w -u -json' },
        operands: 'value',
        acts: ({ given, operands }) =>
          given('-w')
            ? operands.flatMap(({ text }) => ofGoProxy(/^GOPROXY=(.*)$/.exec(text)?.[1] ?? ''))
            : [],
      },
      'build test vet fmt mod get list version doc tool work clean': {
        options: { script: '-exec -toolexec', write: '-o' },
      },
    },
    single: true,
  },
  'mvn mvnw gradle gradlew sbt lein ant': {
    options: { value: '-f --file -P -D -p -b -c' },
    operands: 'value',
    acts: ({ operands }) =>
      operands.some(({ text }) =>
        /^(?:deploy|deploy:deploy|publish|release:perform|publishToMavenCentral|upload\w*)$/.test(text),
      )
        ? [{ does: 'publish', place: 'registry', why: 'publishes an artifact' }]
        : [],
  },
  dotnet: {
    commands: {
      nuget: { with: { '=push': { does: publishes() }, '=delete': { does: unpublishes } } },
      'run exec build test restore add publish': {},
      ef: {
        commands: {
          database: { commands: { drop: { inert: '--dry-run', does: DROPPED }, update: {} } },
        },
      },
      tool: { with: { '-g --global': { does: forMachine('installs a program') } } },
    },
  },
  nuget: { commands: { push: { does: publishes() }, delete: { does: unpublishes } } },
  'mix rebar3 stack cabal opam pub flutter swift-package': {
    commands: {
      'run eval': {
        options: { code: '-e --eval', value: '-r --require' },
        language: 'other',
        operands: 'value',
      },
      'hex.publish publish upload': { inert: '--dry-run -n', does: publishes() },
      'ecto.drop ecto.reset ash.reset': { does: DROPPED },
      pub: { inert: '--dry-run -n', with: { '=publish': { does: publishes() } } },
    },
  },
})

/** `kotlinc -e CODE`, `nim --eval:CODE`. */
function codeOf(args: readonly Word[]): Effect[] {
  return args.flatMap((word, at): Effect[] => {
    const text = /^-e$/.test(args[at - 1]?.text ?? '') ? word.text : /^--eval[:=](.*)$/s.exec(word.text)?.[1]
    return text === undefined ? [] : [{ code: 'other', text: { ...word, text } }]
  })
}

/** A package that is an address comes from nobody's registry. */
export function odd({ operands, values }: Call): readonly Effect[] {
  const effects: Effect[] = []
  for (const operand of operands)
    if (/^(?:[\w.[\],-]+ *@ *)?(?:git\+|https?:|git:\/\/|ssh:\/\/)/.test(operand.text))
      effects.push({
        does: 'install',
        place: 'remote',
        host: operand,
        why: 'a package that is no part of a registry',
      })
  return [
    ...effects,
    ...ofIndexes(values('-i --index-url --extra-index-url --default-index --index --registry')),
    ...ofIndexes(values('-f --find-links').filter(({ text }) => /^https?:/.test(text))),
    ...values('--trusted-host').flatMap(ofUnchecked),
  ]
}

function ofRepository(host: Word): Effect[] {
  return [{ does: 'install', place: 'remote', host, why: 'software of a repository' }]
}

/** A list of addresses, with `direct` and `off` among them. */
export function ofGoProxy(text: string): Effect[] {
  return ofIndexes(
    text
      .split(/[,|]/)
      .filter((each) => each.includes(':'))
      .map((each) => ({ text: each })),
  )
}

/** Whoever is between the machine and that host may change what comes. */
function ofUnchecked(host: Word): Effect[] {
  return /^(?:localhost|127\.|\[::1\])|(?:^|\.)(?:pypi\.org|pythonhosted\.org)(?::\d+)?$/.test(host.text)
    ? []
    : [
        {
          does: 'install',
          place: 'remote',
          host,
          why: 'packages from a host whose certificate is not checked',
        },
      ]
}

/** Where the packages of the machine are, as our own is known. */
function globalFolder(call: Call, below: string): string | undefined {
  return call.given('-g --global') ? `/usr/local/${below}`.replace(/\/$/, '') : undefined
}

function nodeConfig({ commands, operands }: Call): readonly Effect[] {
  const words = commands[0] === 'config' ? operands : [{ text: 'set' }, ...operands]
  const isShown = words[0]?.text === 'get' || commands[0] === 'get'
  if (isShown && words.some(({ text }) => /(?:^|:)_(?:authToken|auth|password)$/.test(text)))
    return [{ does: 'reveal_secret', place: 'secret', why: 'prints what publishes packages' }]
  const [, key = '', value = words[2]?.text ?? ''] = /^([^=]*)(?:=(.*))?$/.exec(words[1]?.text ?? '') ?? []
  return words[0]?.text === 'set' &&
    ((/(?:^|:)(?:registry|npmRegistryServer)$/.test(key) && !isKnownIndex(value)) ||
      (/^(?:ignore-scripts|strict-ssl)$/.test(key) && value === 'false') ||
      (/^(?:ignore-scripts|script-shell|prefix)$/.test(key) && value !== 'true'))
    ? [{ does: 'write', place: 'machine', why: 'changes where packages come from or how they are installed' }]
    : []
}

/** The package that holds the guards. */
function removesOwn({ operands }: Call): readonly Effect[] {
  return operands.some(({ text }) => /^crosshook(?:@|$)/.test(text))
    ? [{ does: 'change_guards', why: 'removes crosshook' }]
    : []
}

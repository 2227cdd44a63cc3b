/** Keys, certificates, and what prints them. */

import type { Call, Effect, Programs } from '../program.ts'
import { isSecretFile } from '../secret-files.ts'

const reveals = (why: string) => ({ does: 'reveal_secret', place: 'secret', why }) as const

export const SECRETS = (): Programs => ({
  printenv: {
    options: { flag: '-0 --null' },
    with: { '': { does: { does: 'read', place: 'environment', why: 'prints the environment' } } },
    acts: ({ operands }) =>
      operands.some(({ text }) => isSecretName(text))
        ? [{ does: 'read', place: 'environment', why: 'prints a secret of the environment' }]
        : [],
  },
  openssl: {
    options: { flag: '' },
    single: true,
    acts: openssl,
    fetches: true,
    decodes: '-d',
  },
  sops: {
    options: {
      value: '-k --kms -p --pgp --extract --input-type --output-type',
      write: '--output',
      flag: '-d --decrypt -e --encrypt -i --in-place -r --rotate',
    },
    // What is decrypted to a file or in its place is not shown.
    acts: (call) =>
      (call.given('-d --decrypt') || /^(?:-d|decrypt)$/.test(call.operands[0]?.text ?? '')) &&
      !call.given('--output -i --in-place')
        ? [reveals('prints what was encrypted')]
        : [],
    commands: { 'exec-env exec-file': { operands: ['value', 'script*'] } },
  },
  'gpg gpg2 gpgv age rage': {
    options: {
      value:
        '-r --recipient -u --local-user --default-key --homedir --passphrase --pinentry-mode --keyserver -k -i -R',
      write: '-o --output',
      flag: '-d --decrypt -e --encrypt -s --sign -c --symmetric -a --armor --batch --yes -v -q --list-keys -K -k --export --import --verify',
    },
    inert: '--list-keys --list-secret-keys -K',
    operands: 'value',
    decodes: '-d --decrypt',
    with: {
      '--export-secret-keys --export-secret-subkeys': { does: reveals('prints secret keys') },
      '-d --decrypt': { operands: 'value', does: { does: 'read', why: 'decrypts a file', certain: false } },
      '-c --symmetric -e --encrypt': {
        operands: 'value',
        acts: ({ operands, values }) =>
          operands.flatMap((from) => values('-o --output').map((to): Effect => ({ from, to }))),
      },
      '--delete-secret-keys --delete-secret-and-public-key --delete-secret-key': {
        does: { does: 'delete', place: 'secret', why: 'deletes secret keys' },
      },
    },
  },
  'ssh-keygen': {
    options: {
      value: '-t -b -C -N -P -O -m -I -n -V -s -z -D -F  -r -Y',
      flag: '-l -y -p -q -B -H -e -i -c -v -A -L',
    },
    acts: (call) => {
      const files = [...call.args].flatMap(({ text }, at, all) =>
        text === '-f' && all[at + 1] ? [all[at + 1]!] : [],
      )
      return call.given('-l -B -F -H -y -L -e')
        ? []
        : files.map((path): Effect => ({ does: 'write', path, certain: false }))
    },
  },
  security: {
    commands: {
      'dump-keychain export': { does: reveals('prints the keychain') },
      'find-generic-password find-internet-password': {
        with: { '-w -g': { does: reveals('prints a password') } },
      },
      'delete-keychain delete-generic-password delete-internet-password': {
        does: { does: 'delete', place: 'secret', why: 'deletes passwords' },
      },
      'add-trusted-cert authorizationdb': {
        does: { does: 'escalate', place: 'machine', why: 'changes whom the machine trusts' },
      },
      'list-keychains find-identity find-certificate': {},
    },
  },
  getent: {
    with: { '=shadow =gshadow': { does: reveals('prints passwords of the machine') } },
    operands: 'value',
  },
  keyring: { commands: { get: { does: reveals('prints a password') }, 'set del': {} } },
  'secret-tool kwallet-query keyctl': {
    commands: {
      'lookup search': { does: reveals('prints a password') },
      'print pipe read': { does: reveals('prints a key') },
      'store clear': {},
    },
  },
  'cmdkey vaultcmd mimikatz lsadump secretsdump.py laZagne': { does: reveals('prints stored passwords') },
  keytool: {
    options: { value: '-keystore -alias -storepass -keypass -file', read: '' },
    single: true,
  },
  'certbot mkcert acme.sh step cfssl': { operands: 'value' },
  'trufflehog gitleaks detect-secrets': { operands: 'value', hides: true },
  'hashcat john hydra': { operands: 'read' },
})

/** Commands of openssl that print a key when they are not told to be silent; `enc` and `base64` print any file. */
function openssl(call: Call): readonly Effect[] {
  const [command, ...words] = call.args
  const value = (name: string) => {
    const at = words.findIndex(({ text }) => text === name)
    return at === -1 ? undefined : words[at + 1]
  }
  const file = value('-in')
  const to = value('-out')
  const effects: Effect[] = []
  const name = command?.text ?? ''
  // A key that is made is no key that is changed.
  const exports = name === 'pkcs12' && words.some(({ text }) => text === '-export')
  const makesKey = exports || /^(?:genrsa|genpkey|gendsa|ecparam|req|rand|dhparam)$/.test(name)
  const printsKey = !exports && /^(?:rsa|ec|dsa|pkey|pkcs8|pkcs12|genpkey|genrsa)$/.test(name)
  const isPublic = words.some(({ text }) => /^-(?:pubout|pubin|noout|check|nocerts-x)$/.test(text))
  if (file && (/^(?:enc|base64|aes|des|bf|rc4|zlib|smime|cms)/.test(name) || (printsKey && !isPublic))) {
    effects.push({ does: 'read', path: file })
    if (to) effects.push({ from: file, to })
  }
  if (to && !(makesKey && isSecretFile(to.text))) effects.push({ does: 'write', path: to })
  const host = value('-connect')
  if (host) effects.push({ does: 'connect', host })
  if (/^s_client$/.test(name) && call.input) effects.push({ does: 'send', why: 'what it reads' })
  return effects
}

/** A variable whose name says that its value is a secret. */
export function isSecretName(name: string): boolean {
  return (
    /(?:^|_)(?:SECRETS?|TOKENS?|PASSWORD|PASSWD|PASS|PWD_?KEY|API_?KEYS?|APIKEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIALS?|AUTH|DSN)(?:_|$)|(?:SECRET|TOKEN|PASSWORD|APIKEY)$/i.test(
      name,
    ) && !/^(?:SSH_AUTH_SOCK|OLDPWD|PWD|GPG_TTY|XAUTHORITY)$/.test(name)
  )
}

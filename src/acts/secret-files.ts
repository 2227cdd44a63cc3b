/** The one list of files that hold secrets. Names are compared without regard to case. */

import { AGENT_SECRETS } from './gen/agents.ts'
import { hinted } from './hinted.ts'
import { shellPattern } from './shell/shell-pattern.ts'

/** Base names, as patterns from start to end. */
const NAMES = hinted(
  [
    ...['env', 'secret', 'credential', 'creds', 'account', 'adminsdk', 'gcp', 'id_', 'rsa', 'dsa', 'ed25519'],
    ...[
      '.pem',
      '.key',
      '.p12',
      '.pfx',
      '.jks',
      '.kdb',
      '.ppk',
      '.pkcs12',
      '.ovpn',
      '.mobileprovision',
      '.agekey',
      '.p8',
      '.vars',
      'kubeconfig',
    ],
    ...[
      'rc',
      '.pgpass',
      '.cnf',
      '.htpasswd',
      'cfg',
      '.boto',
      'vault',
      'auth',
      'token',
      '.snowsql',
      '.claude',
    ],
    ...[
      'passw',
      'apikey',
      'api_key',
      'api-key',
      'ssh_',
      'ssh-',
      'deploy_',
      'deploy-',
      'private_',
      'private-',
    ],
    ...['local.settings'],
    ...['.flyctl', 'wp-config', 'wallet', 'key4', 'logins', 'cookies', '.tfstate'],
  ],
  () => [
    /^\.env(?:rc)?$/,
    /^\.env\.(?!(?:.*[.-])?(?:example|examples|sample|template|tpl|dist|default|defaults|schema|d\.ts|md|ts|js)(?:\.[\w-]+)?$)[\w.-]+$/,
    /^(?:[\w-]+\.)?env\.(?:local|prod|production|staging|secret|secrets)$/,
    /^(?!example|sample|template|default|dummy)[\w-]+\.env$/,
    /^\.?(?:secrets?|credentials?|service[-_]?account[\w-]*|client[-_]secrets?[\w.-]*)\.(?:json|ya?ml|toml|ini|env|properties|txt|xml|enc|cfg)$/,
    /^(?:application_default_credentials|firebase-adminsdk[\w-]*|gcp[-_](?:key|service-account)[\w-]*|google[-_]credentials)\.json$/,
    /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-](?!pub$)[\w.-]+)?(?: copy)?$/,
    /^[\w.-]+[_-](?:rsa|dsa|ecdsa|ed25519)$/,
    /^credentials(?:[-_](?:old|new|bak|backup|copy|prod|dev))?$/,
    /^(?!(?:ca|cacert|cert|certs|chain|fullchain|bundle|root|intermediate|ca-bundle|ca-certificates|public|pub|roots?|isrgrootx1|dhparams?)\.)(?![\w.-]*(?:cert|chain|bundle|public|[-_.]pub|[-_.]ca|[-_.]crt)\.)[\w.-]+\.pem$/,
    /^(?![\w.-]*pub(?:lic)?\b)[\w.-]+\.key$/,
    /^[\w.-]+\.(?:p12|pfx|jks|keystore|kdbx?|ppk|pkcs12|asc\.key|ovpn|mobileprovision|agekey|keychain(?:-db)?|keypair|p8|kubeconfig)$/,
    /^(?:\.dev\.vars(?:\.(?!example|sample|template)\w+)?|kubeconfig(?:\.ya?ml)?)$/,
    /^(?:\.netrc|_netrc|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.npmrc|\.yarnrc|\.pypirc|\.git-credentials|\.htpasswd|\.s3cfg|\.boto|\.dockercfg|\.vault-token|\.vault_pass(?:\.txt)?|\.terraformrc|\.rediscli_auth|\.databrickscfg|\.snowsql\.config|\.msmtprc|\.fetchmailrc|\.claude\.json)$/,
    /^(?:\.credentials\.json|oauth_creds\.json|oauth_token\.json|auth\.json|access_tokens\.db|credentials\.tfrc\.json|\.flyctl\.yml)$/,
    /^(?:master\.key|secret_token\.rb|wp-config\.php|wallet\.dat|key4\.db|logins\.json|cookies\.sqlite|local_settings\.py\.secret|\.secret|\.secrets|\.token|secret\.key|private\.key)$/,
    /^[\w.-]+\.tfstate(?:\.backup)?$/,
    /^(?:passwords?|api[-_]?keys?)\.(?:json|txt|csv|ya?ml|toml|ini|env)$/,
    /^[\w-]+[-_]secrets?\.txt$/,
    /^(?:aws|gcp|google|azure|db|database|prod|production|cloud|service|user)[-_]credentials(?:\.(?:json|txt|csv|ini))?$/,
    /^(?:ssh|deploy|private)[-_]key(?:\.txt)?$/,
    /^(?:[\w-]+[-_.])?secrets?(?:\.auto)?\.tfvars$/,
    /^\.?vault[-_]pass(?:word)?(?:\.txt)?$/,
    /^local\.settings\.json$/,
  ],
)

/** Below the home folder, or anywhere when they begin with a slash. */
const PLACES = hinted(
  ['/.', '/etc/', '/proc/', 'secrets/', 'keychains/', 'login data', 'cookies', 'key4.db', 'logins.json'],
  () => [
    /^\/(?:home\/[^/]+|users\/[^/]+|root|.*)\/\.ssh\/(?!known_hosts|[\w.-]*\.pub$|.*authorized_keys\.d)[^/]+$/,
    /\/\.gnupg\/(?:private-keys-v1\.d|secring|.*\.key)/,
    /\/\.aws\/(?:credentials|config|sso\/cache|cli\/cache)/,
    /\/\.azure\/(?:accesstokens|msal_token_cache|azureprofile|service_principal)/,
    /\/\.config\/gcloud\/(?:.*credentials|access_tokens|legacy_credentials)/,
    /\/\.kube\/(?:config|cache\/token)/,
    /\/\.docker\/config\.json(?:\.\w+)?$/,
    /\/\.gcp(?:\/|$)/,
    /\/\.config\/(?:gh|glab-cli|hub)\/(?:hosts|config)\.ya?ml$/,
    /\/\.config\/hub$/,
    /\/\.cargo\/credentials(?:\.toml)?$/,
    /\/\.gem\/credentials$/,
    /\/\.m2\/settings(?:-security)?\.xml$/,
    /\/\.gradle\/gradle\.properties$/,
    /\/\.composer\/auth\.json$/,
    /\/\.password-store\//,
    /\/\.local\/share\/keyrings\//,
    /\/library\/keychains\//,
    /\/(?:google-chrome|chromium|chrome|brave-browser|microsoft edge|firefox)\/.*(?:login data|cookies|key4\.db|logins\.json)/,
    /\/\.(?:bash|zsh|psql|mysql|python|node_repl|rediscli)_history$/,
    /\/\.config\/(?:op|doctl|heroku|netlify|vercel|railway|stripe|sops|rclone|ngrok|hcloud|github-copilot|linode-cli|pulumi|configstore|containers\/auth)(?:\/|\.|$)/,
    /\/\.(?:heroku|netlify|vercel|railway|fly|pulumi|supabase|stripe)\/(?:.*(?:auth|token|credentials|config)[^/]*)$/,
    /^\/etc\/(?:shadow|gshadow|sudoers|master\.passwd|krb5\.keytab|ssl\/private\/|ssh\/ssh_host_\w+_key$|kubernetes\/(?:admin\.conf|pki\/.*\.key)|rancher\/k3s\/k3s\.yaml)/,
    /^\/proc\/(?:\d+|self|thread-self|\$\{?[\w$]+\}?|[*?[\]\d-]+)\/(?:task\/[^/]+\/)?(?:environ|mem|maps)$/,
    /\/\.(?:snowsql|oci|kaggle|circleci|travis|mc|snowflake|ngrok2)\/(?:config(?:\.\w+)?|kaggle\.json|cli\.yml|ngrok\.yml|\w+\.pem)$/,
    /^\/(?:var\/)?run\/secrets\//,
    /^\/root\/\.(?:aws|gnupg|kube)\//,
    /\/\.(?:electrum|ethereum)\/(?:\w+\/)?(?:wallets|keystore)\//,
    /\/\.config\/(?:solana\/id\.json$|bitwarden\/)/,
    /\/\.(?:nuget\/nuget\/nuget\.config|snowflake\/\w+\.toml|expo\/state\.json)$/,
    /\/\.wrangler\/config\//,
  ],
)

/** Credentials of agents, as their dialects declare them. */
const AGENTS = hinted([...new Set(AGENT_SECRETS.map((glob) => glob.toLowerCase().split('*')[0]!))], () =>
  AGENT_SECRETS.map(
    (glob) =>
      new RegExp(
        `(?:^|/)${glob
          .toLowerCase()
          .replace(/[.+^$()|[\]\\]/g, '\\$&')
          .replaceAll('*', '[^/]*')}(?:/.*)?$`,
      ),
  ),
)
/** What tools keep below their own folder in the home folder. */
const OF_TOOLS = hinted(['/.'], () => [
  /^\/(?:home\/[^/]+|users\/[^/]+|root)\/\.[\w-]+\/(?:.*\/)?\.?(?:[\w-]+[-_.])?(?:secrets?|credentials?|creds|tokens?|oauth|auth)(?:\.(?:json|ya?ml|toml|db|age|txt|enc))?(?:\/.*)?$/,
])

/** Folders that are secret as a whole. */
const FOLDERS = hinted(['/.', 'private', 'secrets'], () => [
  /\/\.(?:ssh|gnupg|aws|azure|kube|password-store)$|\/\.config\/gcloud$|^\/etc\/ssl\/private$|^\/(?:var\/)?run\/secrets$/,
])

/** Data in a folder of secrets, whatever it is called; sources and documents there are none. */
const KEPT_IN_FOLDER =
  /\/\.?secrets\/(?:[^/]+\/)*(?!readme|license)(?![^/]*(?:example|sample|template|schema|sealed|external))[^/.]+(?:\.(?:json|ya?ml|toml|ini|txt|env|properties|xml|cfg|conf|token|pass))?$/

/** Keys in packages that others wrote are samples; a name such as `id_rsa` counts everywhere. */
const PACKAGES = /\/(?:node_modules|vendor|__pycache__|site-packages)\//
const BY_ENDING = /\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ovpn|crt)$/

/** For tests: what each of these matches holds one of its hints. */
export const HINTED = { NAMES, PLACES, AGENTS, OF_TOOLS, FOLDERS }

export function isSecretFile(path: string): boolean {
  const lower = path.toLowerCase()
  if (/^(?:https?|ftp):\/\//.test(lower) || (PACKAGES.test(`/${lower}`) && BY_ENDING.test(lower)))
    return false
  return (
    isSecretName(lower.slice(lower.lastIndexOf('/') + 1)) ||
    PLACES.test(lower) ||
    AGENTS.test(lower) ||
    OF_TOOLS.test(lower) ||
    isKeptAsSecret(lower)
  )
}

/** A project may hold samples of what tools keep in the home folder (`docs/.docker/config.json`). */
export function isSecretInProject(path: string): boolean {
  const lower = path.toLowerCase()
  const name = lower.slice(lower.lastIndexOf('/') + 1)
  // Of a chart: the values come from elsewhere.
  if (lower.includes('/templates/') && /^secrets?\.ya?ml$/.test(name)) return false
  return (isSecretName(name) || isKeptAsSecret(lower)) && !(PACKAGES.test(lower) && BY_ENDING.test(lower))
}

function isKeptAsSecret(lower: string): boolean {
  return lower.includes('secrets/') && !PACKAGES.test(lower) && KEPT_IN_FOLDER.test(`/${lower}`)
}

export function isSecretName(name: string): boolean {
  const given = name.toLowerCase()
  const mayBeCopy = given.includes('.') || given.endsWith('~')
  const lower = mayBeCopy ? given.replace(/(?:\.(?:bak|backup|old|orig|save|copy|swp|\d+)|~)+$/, '') : given
  return NAMES.test(lower) || (lower !== given && lower === '.env')
}

export function isSecretFolder(path: string): boolean {
  return FOLDERS.test(path.toLowerCase())
}

/** The same below the home folder. */
export const SAMPLE_PATHS: readonly string[] = [
  '.aws/credentials',
  '.ssh/id_rsa',
  '.ssh/id_ed25519',
  '.kube/config',
  '.docker/config.json',
  '.netrc',
  '.git-credentials',
  '.config/gh/hosts.yml',
]

/** What a pattern of file names could be meant for. */
const SAMPLE_NAMES: readonly string[] = [
  '.env',
  '.env.local',
  'id_rsa',
  'id_ed25519',
  '.netrc',
  '.npmrc',
  '.pgpass',
  '.git-credentials',
  'server.pem',
  'server.key',
  'credentials.json',
  'secrets.yml',
]

/** `*.json` means files that are not secrets. */
const USUAL_ENDING = /\.(?:json|ya?ml)$/

/** Does a pattern of names seem to be meant for them? With hardly any fixed characters it is meant for all files. */
export function couldBeSecret(pattern: string): boolean {
  if (pattern.replace(USUAL_ENDING, '').replace(/[*?[\]!^-]/g, '').length < 2) return false
  const fits = shellPattern(pattern)
  return SAMPLE_NAMES.some((name) => name.startsWith('.') === pattern.startsWith('.') && fits(name))
}

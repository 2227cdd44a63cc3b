/** Secrets that only their place in a command, a login or a statement gives away. */

export function redactCommands(text: string, mark: string): string {
  let out = text
  if (out.includes('-u'))
    out = out.replace(LOGIN, (all, before, password) => (/^\d+$/.test(password) ? all : before + mark))
  if (out.includes('-p')) out = out.replace(DATABASE, `$1${mark}`).replace(SSHPASS, `$1${mark}`)
  if (out.includes('|')) out = out.replace(PIPED, `$1${mark}$2`)
  if (out.includes('@')) out = out.replace(DATA_SOURCE, `$1${mark}@`)
  return out.replace(NETRC, `$1${mark}`).replace(IDENTIFIED, `$1${mark}`)
}

// Bounded wherever a later part may be missing, so that the time stays linear.
const LOGIN = /(?<![\w-])((?:-u|--user|--proxy-user)[ =]{1,4}["']?[^\s:"']{1,256}:)([^\s"']+)/g
const DATABASE =
  /(?<![\w-])((?:mysql|mysqldump|mysqladmin|mariadb)(?=\s)[^\n|;&]{0,120}?\s-p)(?=[^\s-])[^\s"']+/g
const SSHPASS = /(?<![\w-])(sshpass\s{1,4}-p\s{0,4}["']?)[^\s"']+/g
const PIPED =
  /(?<![\w-])(echo\s{1,4}(?:-n\s{1,4})?["']?)[^\s|"']{1,200}(["']?\s{0,4}\|[^|\n]{0,120}(?:-stdin|with-token))/g
const DATA_SOURCE = /(?<![\w.-])([\w.-]{1,64}:)[^\s@:/"']{1,128}@(?=(?:tcp|unix)\()/g
const NETRC = /(?<![A-Za-z])(login\s{1,4}\S{1,64}\s{1,4}password\s{1,4})\S+/g
const IDENTIFIED = /(identified\s{1,4}(?:with\s{1,4}\w{1,40}\s{1,4})?by\s{1,4}["'])[^"'\n]+/gi

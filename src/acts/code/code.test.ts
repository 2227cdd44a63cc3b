/** Code in a line: what is followed, and what must not be taken for something it is not. */

import { expect, test } from 'vitest'
import { loadActs } from '../acts.ts'
import type { World } from '../world.ts'

const acts = loadActs()
const world: World = {
  workDir: '/home/ann/shop',
  home: '/home/ann',
  user: 'ann',
  platform: 'linux',
  variables: { HOME: '/home/ann' },
  disk: null,
  own: [],
}

function kinds(command: string): string[] {
  const found = acts({ tool_name: 'Shell', tool_input: { command }, work_dir: world.workDir }, world)
  return found.flatMap(({ does, places = [] }) => places.map((place) => `${does} ${place}`))
}

test.each([
  // loops over what a folder holds
  ['python3 -c "import glob,os; [os.remove(f) for f in glob.glob(\'/etc/*\')]"', 'delete system'],
  [
    "python3 - <<E\nimport os\nfor r, ds, fs in os.walk('/home'):\n  for f in fs: os.unlink(os.path.join(r, f))\nE",
    'delete root',
  ],
  ["node -e \"for (const f of fs.readdirSync('/etc')) fs.unlinkSync('/etc/'+f)\"", 'delete root'],
  ['ruby -e \'Dir["/etc/*"].each { |f| File.delete(f) }\'', 'delete root'],
  ['php -r \'foreach (glob("/etc/*") as $f) unlink($f);\'', 'delete root'],
  ['perl -e \'unlink glob "/etc/*"\'', 'delete root'],
  // texts with values in them
  ["python3 -c \"import os; d='/'; os.system(f'rm -rf {d}')\"", 'delete root'],
  ["python3 -c \"import os; os.system('rm -rf %s' % '/')\"", 'delete root'],
  ["python3 -c \"import os; os.system('rm -rf {}'.format('/'))\"", 'delete root'],
  ['ruby -e \'d="/"; system("rm -rf #{d}")\'', 'delete root'],
  ['perl -e \'my $d="/"; system("rm -rf $d");\'', 'delete root'],
  // names that are made
  ['php -r \'$f="sys"."tem"; $f("rm -rf /");\'', 'delete root'],
  ['php -r \'array_map("unlink", glob("/etc/*"));\'', 'delete root'],
  ['node -e "new Function(\\"require(\'fs\').rmSync(\'/\',{recursive:true})\\")()"', 'delete root'],
  ["deno eval \"new Deno.Command('rm',{args:['-rf','/']}).outputSync()\"", 'delete root'],
  ["bun -e 'await Bun.$`rm -rf /`'", 'delete root'],
  ["ruby -e '%x(rm -rf /)'", 'delete root'],
  // languages by the words around their texts
  ["julia -e 'run(`rm -rf /`)'", 'delete root'],
  ['groovy -e \'new File("/etc").deleteDir()\'', 'delete root'],
  ['elixir -e \'System.cmd("rm", ["-rf", "/"])\'', 'delete root'],
  ['erl -noshell -eval \'os:cmd("rm -rf /"), halt().\'', 'delete root'],
  ['scala -e \'import sys.process._; "rm -rf /".!\'', 'delete root'],
  ['sbcl --eval \'(uiop:run-program "rm -rf /")\'', 'delete root'],
  ['Rscript -e \'system2("rm", c("-rf","/"))\'', 'delete root'],
  ['groovy -e \'println new File(".env").text\'', 'reveal_secret secret'],
  ["echo 'exec rm -rf /' | tclsh", 'delete root'],
  ["expect -c 'spawn rm -rf /; interact'", 'delete root'],
  // the home folder
  ["perl -MFile::Path=remove_tree -e 'remove_tree($ENV{HOME})'", 'delete root'],
  ['perl -e \'system("rm -rf ".$ENV{HOME})\'', 'delete root'],
  ['php -r \'system("rm -rf ".getenv("HOME"));\'', 'delete root'],
  ['php -r \'array_map("unlink", glob($_SERVER["HOME"]."/*"));\'', 'delete root'],
  ['deno eval \'Deno.removeSync(Deno.env.get("HOME"), {recursive: true})\'', 'delete root'],
  ["bun -e 'fs.rmSync(Bun.env.HOME, {recursive: true})'", 'delete root'],
  ["julia -e 'rm(homedir(), recursive=true)'", 'delete root'],
  ["elixir -e 'File.rm_rf!(System.user_home!())'", 'delete root'],
  ['elixir -e \'File.rm_rf!("#{System.user_home!()}/")\'', 'delete root'],
  ['groovy -e \'new File(System.getProperty("user.home")).deleteDir()\'', 'delete root'],
  ['Rscript -e \'unlink(Sys.getenv("HOME"), recursive=TRUE)\'', 'delete root'],
  // the environment
  ['python3 -c "import os; [print(k,v) for k,v in os.environ.items()]"', 'reveal_secret environment'],
  ["node -e 'console.log(process.env.GITHUB_TOKEN)'", 'reveal_secret environment'],
  ["gawk 'BEGIN{for(k in ENVIRON) print k,ENVIRON[k]}'", 'reveal_secret environment'],
  ['powershell -c "dir env:"', 'reveal_secret environment'],
  // what the line wrote is what is run
  ["printf 'all:\\n\\trm -rf /\\n' > Makefile; make", 'delete root'],
  ['echo \'{"scripts":{"x":"rm -rf ~"}}\' > package.json && npm run x', 'delete root'],
  // other small languages
  ['awk \'BEGIN { cmd="rm -rf /"; system(cmd) }\'', 'delete root'],
  ["sed '1r .env' README.md", 'reveal_secret secret'],
  ['sqlite3 :memory: ".read \'|rm -rf /\'"', 'delete root'],
  ["gdb -nx -ex '!rm -rf /' -ex quit", 'delete root'],
  ["ex -s +'!rm -rf ~' +q", 'delete root'],
  ["python3 -c 'import os; os.kill(-1, 9)'", 'kill machine'],
  ["powershell -c 'gci -Recurse C:\\Users | Remove-Item -Force'", 'delete root'],
  ['cmd /c "for /r C:\\ %f in (*) do del %f"', 'delete root'],
  ["python3 -c \"import os\nfor c in ['ls', 'rm -rf /']: os.system(c)\"", 'delete root'],
  ['node -e \'["/etc","/usr"].forEach(d=>require("fs").rmSync(d,{recursive:true}))\'', 'delete root'],
  ['node -e \'const read = Bun.file; read(".env")\'', 'reveal_secret secret'],
  ["python3 -c \"import sqlite3; sqlite3.connect('a.db').execute('DROP TABLE users')\"", 'delete database'],
  ['rails runner User.delete_all', 'delete database'],
  ["pwsh -c 'if ($true) { Remove-Item -Recurse -Force / }'", 'delete root'],
  ['cmd /c "rmdir /s /q %SystemRoot%"', 'delete root'],
  ['flyway clean', 'delete database'],
  ['curl -X DELETE https://api.github.com/repos/o/r', 'delete cloud'],
  ['stripe customers delete cus_1', 'delete cloud'],
  ['git add .env', 'reveal_secret secret'],
  ['ln -s /bin/rm /tmp/zz; /tmp/zz -rf /', 'delete root'],
])('%s: %s', (command, wanted) => {
  expect(kinds(command)).toContain(wanted)
})

test.each([
  "python3 -c \"import os\nfor r,d,f in os.walk('.'):\n  for x in f:\n    if x.endswith('.pyc'): os.remove(os.path.join(r,x))\"",
  "python3 -c \"import os; [os.remove('/tmp/'+f) for f in os.listdir('/tmp/x')]\"",
  'python3 -c "import os; print([f for f in os.listdir(\'/etc\')])"',
  'python3 -c "import os; env=dict(os.environ, X=\'1\')"',
  'python3 -c "import os; print(\'API_KEY\' in os.environ)"',
  "node -e 'console.log(!!process.env.API_KEY)'",
  "node -e 'console.log(Object.keys(process.env).length)'",
  "python3 -c \"x='rm -rf /'; print(f'do not run {x}')\"",
  "Rscript -e 'rm(list=ls())'",
  'racket -e \'(displayln "system shutdown")\'',
  "printf 'clean:\\n\\t@rm -rf bin dist\\n' > Makefile; make clean",
  "pwsh -c 'Get-ChildItem *.log | Remove-Item'",
  "sed '/^r /d' notes.md",
])('harmless: %s', (command) => {
  expect(
    kinds(command).filter((kind) => /reveal_secret|(?:delete|write) (?:root|system|secret)|kill/.test(kind)),
  ).toEqual([])
})

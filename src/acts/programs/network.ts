/** Programs that reach over the network. */

import type { Programs } from '../program.ts'

export const NETWORK: Programs = {
  curl: {
    options: {
      data: '-d --data --data-ascii --data-binary --data-urlencode --data-raw --json',
      send: '-T --upload-file',
      write: '-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --output-dir',
      read: '-K --config -b --cookie',
      host: '--url -x --proxy --preproxy --socks5 --socks5-hostname',
      secret: '-u --user -U --proxy-user --oauth2-bearer',
      value:
        '-H --header -X --request -A --user-agent -e --referer -m --max-time --connect-timeout -w --write-out --retry --retry-delay -r --range -C --continue-at -F --form --form-string --cert -E --key --netrc-file --cacert --capath --resolve --limit-rate -z -y -Y --interface --ciphers --cert-type --key-type --max-redirs -Q -P -t',
      flag: '-s -S -L -f -k -i -I -v -O -J -g -G --silent --location --fail --insecure --remote-name',
    },
    operands: 'host',
    fetches: true,
  },
  ssh: {
    options: {
      // A key that is used is not revealed: no `read`.
      value: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B',
      flag: '-A -a -f -N -T -t -v -q -4 -6 -C',
    },
    inert: '-V -G',
    operands: ['host', 'script*'],
    elsewhere: true,
  },
}

/** Package managers of systems: what is installed for the whole machine, and what is removed from it. */

import type { Call, Done, Effect, Programs } from '../program.ts'
import { forMachine, ofOwnPackage, removesFromMachine } from './own-package.ts'
import { fromElsewhere, odd } from './packages.ts'

/** A file that nobody signed, not what the person's own sources offer. */
const fromFile: Done = { does: 'install', place: 'remote', why: 'installs software from a file' }

const UNSIGNED: Done = {
  does: 'install',
  place: 'remote',
  why: 'installs software whose signature is not checked',
}

export const SYSTEM_PACKAGES = (): Programs => ofOwnPackage(rows())

const rows = (): Programs => ({
  'brew port': {
    commands: {
      'install reinstall upgrade cask': {
        inert: '-h -n --dry-run',
        operands: 'package',
        does: forMachine('installs software'),
        acts: odd,
      },
      'uninstall remove rm autoremove': {
        inert: '-h -n --dry-run',
        does: removesFromMachine('removes software'),
      },
      tap: {
        operands: 'value',
        acts: ({ operands }) =>
          operands.length > 0
            ? [
                operands.length > 1
                  ? { does: 'install', place: 'remote', host: operands[1]!, why: 'adds a source of software' }
                  : { does: 'install', place: 'machine', why: 'adds a source of software' },
              ]
            : [],
      },
      'cleanup list ls info search outdated doctor deps leaves config update services shellenv cat desc home uses':
        {},
    },
  },
  'apt apt-get aptitude nala': {
    options: {
      value: '-t --target-release -o --option -c',
      flag: '-y --yes -q -qq -f --no-install-recommends',
    },
    inert: '-s --simulate --dry-run --just-print --no-act -d --download-only --print-uris',
    commands: {
      'install reinstall build-dep upgrade dist-upgrade full-upgrade safe-upgrade': {
        operands: 'package',
        does: forMachine('installs software'),
        acts: ofFile,
        with: { '--allow-unauthenticated --force-yes': { does: UNSIGNED } },
      },
      'remove purge autoremove autopurge': { does: removesFromMachine('removes software') },
      'update list search show policy depends rdepends changelog download source clean autoclean check moo indextargets':
        {},
    },
  },
  'add-apt-repository apt-add-repository apt-key': {
    inert: '-h --list -L',
    operands: 'value',
    acts: ({ name, operands }) =>
      name === 'apt-key' && !/^(?:add|adv|del)$/.test(operands[0]?.text ?? '')
        ? []
        : [{ does: 'write', place: 'machine', why: 'adds a source of software' }],
  },
  'yum-config-manager': {
    options: { value: '--add-repo' },
    with: { '--add-repo': { does: { does: 'write', place: 'machine', why: 'adds a source of software' } } },
  },
  'dnf yum microdnf zypper tdnf rpm-ostree swupd': {
    options: { value: '-c --enablerepo --disablerepo --setopt -x', flag: '-y -q' },
    commands: {
      'install in reinstall upgrade update up dist-upgrade dup groupinstall localinstall downgrade': {
        operands: 'package',
        does: forMachine('installs software'),
        acts: ofFile,
        with: { '--nogpgcheck --no-gpg-checks --allow-unsigned-rpm': { does: UNSIGNED } },
      },
      'config-manager addrepo ar': {
        with: {
          '--add-repo --addrepo': {
            does: { does: 'write', place: 'machine', why: 'adds a source of software' },
          },
        },
      },
      'remove erase rm autoremove groupremove': { does: removesFromMachine('removes software') },
      'list search se info if repolist provides check-update history lr': {},
    },
  },
  apk: {
    commands: {
      add: {
        options: { value: '-X --repository -t --virtual' },
        inert: '-s --simulate',
        operands: 'package',
        does: forMachine('installs software'),
        with: { '--allow-untrusted': { does: UNSIGNED } },
      },
      del: { inert: '-s --simulate', does: removesFromMachine('removes software') },
      upgrade: { does: forMachine('installs software') },
      'info list search update': {},
    },
  },
  'pacman yay paru': { acts: pacman },
  dpkg: {
    with: {
      '-i --install --unpack': { does: fromFile },
      '--configure': { does: forMachine('installs software') },
      '-r -P --remove --purge': { does: removesFromMachine('removes software') },
    },
    inert: '--dry-run --no-act --simulate',
  },
  rpm: {
    with: {
      '-i -U -F --install --upgrade --freshen': { acts: rpm },
      '-e --erase': { does: removesFromMachine('removes software') },
    },
    inert: '--test',
  },
  'snap flatpak': {
    commands: {
      'install refresh update': {
        operands: 'package',
        does: forMachine('installs software'),
        acts: ({ operands }) =>
          operands.some(({ text }) => /^https?:/.test(text)) ? [fromFile as Effect] : [],
        with: { '--dangerous --devmode': { does: UNSIGNED } },
      },
      'remove uninstall': { does: removesFromMachine('removes software') },
      run: { stops: true, operands: 'command' },
      'list info find search': {},
    },
  },
  'nix-env': {
    with: {
      '-i --install -iA': { does: forMachine('installs software') },
      '-e --uninstall': { does: removesFromMachine('removes software') },
    },
  },
  nix: {
    commands: {
      profile: { with: { '=install =add': { does: forMachine('installs software') } } },
      'shell develop': { options: { script: '', command: '-c --command' } },
      run: { operands: 'value', acts: ({ operands }) => operands.slice(0, 1).flatMap(fromElsewhere) },
      'build flake search eval store': {},
    },
  },
  'nix-shell nix-collect-garbage': { options: { script: '--run --command', value: '-p -A' } },
  'choco scoop winget': {
    commands: {
      'install upgrade update': { operands: 'package', does: forMachine('installs software') },
      'uninstall remove': { does: removesFromMachine('removes software') },
      'list search info show': {},
    },
  },
  'emerge xbps-install guix pkg pkg_add': { inert: '-p --pretend -n', operands: 'value' },
  'softwareupdate mas': { with: { '-i --install =install': { does: forMachine('installs software') } } },
})

/** `apt install ./x.deb`, `dnf install https://…/x.rpm`. */
function ofFile({ operands }: Call): readonly Effect[] {
  return operands.some(({ text }) => /\.(?:deb|rpm|apk)$|^https?:/.test(text)) ? [fromFile as Effect] : []
}

function pacman({ args }: Call): readonly Effect[] {
  const [first] = args.filter(({ text }) => /^-[A-Z]|^--(?:sync|remove|upgrade)$/.test(text))
  const text = first?.text ?? ''
  if (/^-S[^silgp]*$|^--sync$|^-U/.test(text))
    return [{ does: 'install', place: 'machine', why: 'installs software' }]
  return /^-R|^--remove/.test(text) ? [{ does: 'delete', place: 'machine', why: 'removes software' }] : []
}

function rpm(call: Call): readonly Effect[] {
  return call.given('-q --query') ? [] : [fromFile as Effect]
}

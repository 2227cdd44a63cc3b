/** Disks, volumes and file systems. The operands are devices; an image in a file is a file. */

import type { Call, Done, Effect, Programs } from '../program.ts'

const destroys = (why: string): Done => ({ does: 'delete', place: 'device', why })

export const DISKS = (): Programs => ({
  'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.jfs mkfs.reiserfs mkfs.minix mkfs.cramfs mke2fs mkntfs mkexfatfs newfs newfs_apfs newfs_hfs newfs_msdos mkswap mkdosfs mkudffs mkreiserfs':
    {
      options: {
        value: '-L -t -b -N -m -i -I -O -E -U -d -T -n -s -F -C -r -g -J -l --type --label --sectorsize',
        flag: '-f -q -v -c -K -V',
      },
      inert: ' ',
      acts: formatted,
    },
  'wipefs blkdiscard': {
    options: { value: '-o --offset -t --types -l --length -s --step', flag: '-a --all -f --force -q' },
    inert: '-n --no-act',
    operands: 'value',
    with: { '-a --all -o --offset': { operands: 'delete' } },
    acts: ({ name, operands }) =>
      name === 'blkdiscard' ? operands.map((path) => ({ does: 'delete', path })) : [],
  },
  badblocks: {
    options: { value: '-b -c -e -d -i -o -p -t', flag: '-n -s -v -f' },
    with: { '-w': { operands: 'delete' } },
    operands: 'value',
  },
  'fdisk cfdisk gdisk cgdisk sgdisk sfdisk': {
    options: { value: '-b -C -H -S -t -u -n -i -c -N -A -d -x --part-type', flag: '-f -q -w' },
    inert: '-l --list  --no-act -s --getsz -p --print -V -v --verify  --dump  -J --json',
    operands: ['delete', 'value*'],
  },
  'parted partprobe': {
    options: { value: '-a --align', flag: '-s --script -m -f' },
    inert: '-l --list',
    operands: 'value',
    acts: ({ operands, name }) =>
      name === 'parted' &&
      operands
        .slice(1)
        .some(({ text }) => /\b(?:mklabel|mktable|mkpart|rm|resizepart|rescue|set)\b/.test(text))
        ? [{ does: 'delete', path: operands[0]! }]
        : [],
  },
  diskutil: {
    acts: ({ operands }) => {
      const verb = operands[0]?.text ?? ''
      const apfs = operands[1]?.text ?? ''
      return /^(?:erase\w*|partitionDisk|zeroDisk|randomDisk|secureErase|reformat|splitPartition|mergePartitions)$/i.test(
        verb,
      ) ||
        (/^(?:apfs|cs|ap)$/i.test(verb) && /^(?:delete\w*|erase\w*)$/i.test(apfs))
        ? [{ does: 'delete', place: 'device', why: 'erases a disk' }]
        : []
    },
  },
  'hdiutil asr': { with: { '--erase -erase': { does: destroys('erases a disk') } } },
  cryptsetup: {
    options: { value: '-c -s -h -d --key-file -S --key-slot --type', flag: '-q -v' },
    commands: {
      'luksFormat erase luksErase luksRemoveKey luksKillSlot reencrypt': {
        does: destroys('destroys an encrypted disk'),
      },
      'open close status luksOpen luksClose luksDump isLuks benchmark': {},
    },
    inert: '--test-args',
  },
  zpool: {
    inert: '-n',
    commands: {
      'destroy labelclear': { does: destroys('destroys a pool') },
      'status list get scrub import export history iostat': {},
      'remove detach offline': { does: destroys('takes a disk out of a pool') },
    },
  },
  zfs: {
    inert: '-n',
    commands: {
      destroy: { does: destroys('destroys a data set') },
      rollback: { does: destroys('goes back to a snapshot') },
      'list get snapshot send receive mount': {},
    },
  },
  btrfs: {
    commands: {
      'subvolume sub': { with: { '=delete =d': { does: destroys('deletes a subvolume') } } },
      'filesystem device balance scrub check property': {
        with: { '=delete =remove': { does: destroys('takes a disk out of a volume') } },
      },
    },
  },
  'lvremove vgremove': {
    options: { value: '--reportformat --config -S --select' },
    inert: '-t --test -h',
    does: destroys('removes a logical volume'),
  },
  pvremove: {
    options: { value: '--config --reportformat' },
    inert: '-t --test -h',
    does: destroys('removes a physical volume'),
  },
  'lvreduce lvresize vgreduce ': { inert: '-t --test -h', does: destroys('shrinks a volume') },
  lvm: {
    commands: {
      'lvremove vgremove pvremove': { inert: '-t --test', does: destroys('removes a volume') },
      'lvs vgs pvs': {},
    },
  },
  mdadm: {
    with: { '--zero-superblock --stop -S --remove -r --fail -f': { does: destroys('takes an array apart') } },
    options: { flag: '--detail --examine -D -E' },
  },
  dmsetup: { commands: { 'remove remove_all wipe_table': { does: destroys('removes a mapping') } } },
  'hdparm nvme sg_format': {
    acts: ({ args }) =>
      args.some(({ text }) =>
        /^(?:--security-(?:erase|set-pass)\S*|--trim-sector-ranges|format|sanitize|--format|delete-ns)$/.test(
          text,
        ),
      )
        ? [{ does: 'delete', place: 'device', why: 'erases a disk' }]
        : [],
  },
  swapoff: {
    with: { '-a --all': { does: { does: 'write', place: 'machine', why: 'takes all swap away' } } },
  },
  'swapon blockdev lsblk blkid findmnt fstrim fsfreeze': { operands: 'value' },
  'fsck e2fsck xfs_repair tune2fs resize2fs': { options: { value: '-b -c -C -t -L' }, inert: '-n -N' },
  'ddrescue dcfldd dc3dd': { keys: { read: 'if', write: 'of' }, operands: ['read', 'write', 'value'] },
  debugfs: {
    options: { flag: '-w', value: '-R -f' },
    with: { '-w': { does: destroys('writes to a file system by hand') } },
  },
  format: {
    operands: 'value',
    acts: ({ operands }) =>
      operands.some(({ text }) => /^[a-z]:$/i.test(text))
        ? [{ does: 'delete', place: 'device', why: 'formats a drive' }]
        : [],
  },
  diskpart: {
    acts: ({ input, args }) =>
      args.some(({ text }) => /^\/s$/i.test(text)) ||
      /\bclean\b|\bformat\b|\bdelete\b/i.test(input?.text ?? '')
        ? [{ does: 'delete', place: 'device', why: 'erases a disk' }]
        : [],
  },
  'vssadmin wbadmin': { commands: { delete: { does: destroys('deletes backups of the disk') }, list: {} } },
  bcdedit: {
    with: {
      '/delete /set /deletevalue /import': {
        does: { does: 'write', place: 'machine', why: 'changes how the machine starts' },
      },
    },
  },
  cipher: {
    acts: ({ args }) =>
      args.some(({ text }) => /^\/w/i.test(text))
        ? [{ does: 'delete', place: 'device', why: 'wipes free space' }]
        : [],
  },
})

/** `mkfs -t ext4 /dev/sda 1000`: any operand that is a device. */
function formatted({ operands }: Call): readonly Effect[] {
  return operands
    .filter(
      ({ text, unknown, glob }) => text.startsWith('/dev/') || unknown || glob || /^[a-z]:$/i.test(text),
    )
    .map((path) => ({ does: 'delete', path }))
}

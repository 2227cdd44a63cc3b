/** What a disk that is full, broken or closed to us says, whoever meets it. */

const CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO'])

export function isDiskFault(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || !('syscall' in error)) return false
  const { code } = error as NodeJS.ErrnoException
  return code !== undefined && CODES.has(code)
}

/** What a disk that is full, broken or closed to us says, whoever meets it. */

const CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO'])

export function isDiskFault(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && CODES.has((error as NodeJS.ErrnoException).code ?? '')
}

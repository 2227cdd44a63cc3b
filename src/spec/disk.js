/** What a disk that is full, broken or closed to us says, whoever meets it. */
const CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO']);
export function isDiskFault(error) {
    return error instanceof Error && CODES.has(error.code ?? '');
}

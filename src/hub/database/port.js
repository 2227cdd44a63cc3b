/**
 * What the hub asks of a database. SQL is the same on both: parameters are written `$1`, times are milliseconds, truth is
 * 0 or 1, JSON is text. One contract suite runs on both (`test/hub/store.test.ts`).
 */
/** The database cannot be reached now. Nothing was changed, as far as anybody knows: the caller tries again. */
export class DatabaseDown extends Error {
    constructor(cause) {
        super(`The database cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
            cause,
        });
        this.name = 'DatabaseDown';
    }
}

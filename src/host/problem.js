/** Errors of the HTTP API: `application/problem+json` (RFC 9457), always with a code and what to do. */
import { isDiskFault } from '../spec/disk.ts';
import { CrosshookError, messageOf } from '../spec/errors.ts';
export class Refusal extends Error {
    problem;
    constructor(problem) {
        super(problem.detail);
        this.name = 'Refusal';
        this.problem = problem;
    }
}
const STATUS = {
    usage: 400,
    bad_input: 400,
    unknown_event: 400,
    bad_settings: 400,
    unknown_agent: 404,
    unknown_hook: 404,
    not_found: 404,
    invalid_hooks: 400,
    exists: 409,
    refused: 403,
    limit: 429,
    store: 503,
};
export function toProblem(error) {
    if (error instanceof Refusal)
        return error.problem;
    if (error instanceof CrosshookError) {
        const code = error.code === 'limit' ? 'overloaded' : error.code;
        return { status: STATUS[error.code] ?? 500, code, detail: error.message, fix: error.fix };
    }
    if (isDiskFault(error))
        return {
            status: 503,
            code: 'store',
            detail: `The daemon could not write it down: ${messageOf(error)}. Nothing was changed.`,
            fix: 'Make room on the disk of the state folder, or let the daemon write there; then try again.',
        };
    return { status: 500, code: 'internal', detail: 'The daemon could not do this; its log says why.' };
}
const TITLES = {
    400: 'Bad Request',
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'Not Found',
    405: 'Method Not Allowed',
    408: 'Request Timeout',
    409: 'Conflict',
    413: 'Content Too Large',
    429: 'Too Many Requests',
    500: 'Internal Server Error',
    503: 'Service Unavailable',
};
export function problemText({ status, ...rest }) {
    return JSON.stringify({ type: 'about:blank', title: TITLES[status] ?? 'Error', status, ...rest });
}
export function problemHeaders({ status }) {
    return {
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
        ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
        // What is left of a body that was not read would be taken for the next request.
        ...(status === 408 || status === 413 || status === 503 ? { connection: 'close' } : {}),
    };
}
export function sendProblem(response, problem) {
    if (response.headersSent)
        return void response.destroy();
    response.writeHead(problem.status, problemHeaders(problem)).end(problemText(problem));
}

/** Stage 8: keeps what happened: the journal, the counters, and a dead letter for each hook that failed for good. */
import { digest, plainDigest, quickDigest } from '../fast/digest.ts';
import { deadLetters } from '../journal/dead-letters.ts';
import { removeSessionState } from '../journal/session-state.ts';
import { safeError, safeTarget } from '../redact/safe-target.ts';
import { messageOf } from '../spec/errors.ts';
import { eventRow } from '../spec/event.ts';
import { detailOf } from './detail.ts';
import { journalOptions } from './journal.ts';
import { toResult } from './result.ts';
import { brokenWords } from './tell.ts';
/** A promise only where a keeper keeps the record. */
export function record(context) {
    const { services, event, outcome, ran } = context;
    const result = toResult(event, { outcome, reports: ran.reports });
    context.result = result;
    if (context.dryRun)
        return undefined;
    if (services.silent || context.set.settings.journal.enabled === false)
        return leave(context);
    return write(context, result)?.then(() => leave(context)) ?? leave(context);
}
/** When the record is kept. */
function leave(context) {
    if (eventRow(context.event.event_type).ends === 'session')
        forgetSession(context);
    tellSilent(context);
}
function write(context, result) {
    const { services, event, failed, duration, door, dropped, digest } = context;
    const reply = isPlainAllow(context) ? undefined : context.reply;
    const { keeper } = services;
    const detail = detailOf(event, context.set.settings.journal.detail);
    const recording = {
        event,
        result,
        source: door,
        failed,
        duration,
        dropped,
        digest,
        detail,
        reply,
    };
    const journal = services.journal();
    journal.use(journalOptions(context.set.settings.journal));
    if (keeper)
        return keeper(journal, recording).then((said) => kept(context, journal, said));
    return kept(context, journal, keep(journal, recording));
}
function kept({ services }, journal, said) {
    const { pending, trouble } = services;
    for (const sentence of said)
        trouble(sentence);
    if (journal.waiting > 0)
        pending(journal.takeInSoon().then((more) => more.forEach(trouble)));
}
/** Nothing but "go on" was said: there is no need to keep in which words. */
function isPlainAllow({ possible }) {
    for (const field in possible)
        if (field !== 'decision' || possible.decision !== 'allow')
            return false;
    return true;
}
function forgetSession({ services, event }) {
    try {
        removeSessionState(services.paths.state, event.session_id);
    }
    catch (error) {
        services.trouble(`what hooks remembered of the session could not be removed: ${messageOf(error)}`);
    }
}
/** A hook that did not run has not agreed: agents' calls name each that waits for trust or does not load. */
function tellSilent({ agent, services, ran, set }) {
    if (!agent)
        return;
    for (const { name, skipped } of ran.reports)
        if (skipped === 'untrusted')
            services.trouble(`project hook "${name}" did not run: it is not trusted. Look at it, then run \`crosshook trust ${name}\`.`);
    for (const problem of set.problems)
        if (problem.level === 'error')
            services.trouble(brokenWords(problem));
}
/** Problems in keeping are returned as sentences: they never change a decision. */
export function keep(journal, recording) {
    const { event, result, failed, dropped } = recording;
    const troubles = [];
    const invocation = failed.length > 0 ? invocationDigest(event) : '';
    const counts = { executions: 0 };
    let retries = 0;
    for (const { status, attempts } of result.hooks) {
        if (status === 'allowed' || status === 'blocked')
            counts.executions++;
        if (attempts > 1)
            retries += attempts - 1;
    }
    if (retries > 0)
        counts.retries = retries;
    if (failed.length > 0) {
        const errors = failed.flatMap((one) => addLetter(journal, event, one, invocation) ?? []);
        troubles.push(...errors);
        counts.failures = failed.length;
        counts.dead_letters = failed.length - errors.length;
        counts.dead_letter_persist_failures = errors.length;
    }
    const entry = entryOf(recording);
    if (failed.length > 0)
        entry.hooks = result.hooks.map((report) => hasFailed(report) ? { ...report, invocation_digest: invocation } : report);
    if (dropped?.length)
        entry.dropped = dropped;
    const { error } = journal.append(entry, counts);
    if (error)
        troubles.push(error.message);
    troubles.push(...journal.warnings());
    return troubles;
}
function entryOf({ event, result, duration, source, digest, detail, reply }) {
    const { event_type, agent, session_id, work_dir, tool_name } = event;
    const { decision, reason, stop, hooks } = result;
    const subject = subjectOf(event);
    const input = hooks.length > 0 ? (digest ?? inputDigest(event)) : undefined;
    const entry = {
        event: event_type,
        session_id,
        work_dir,
        decision,
        reason,
        stop,
        duration_ms: duration,
        source,
        hooks,
    };
    if (agent !== undefined)
        entry.agent = agent;
    if (typeof tool_name === 'string')
        entry.tool_name = tool_name;
    if (subject !== undefined)
        entry.subject = subject;
    if (detail !== undefined)
        entry.detail = detail;
    if (input !== undefined)
        entry.input_digest = input;
    if (reply !== undefined)
        entry.reply = reply;
    return entry;
}
/** Undefined where there is no tool, or too much input. */
export function inputDigest({ event_type, tool_input }) {
    return eventRow(event_type).tool ? plainDigest(tool_input ?? {}) : undefined;
}
/** Why it could not be kept, if it could not. */
function addLetter(journal, event, { hook, report }, invocation) {
    const subject = subjectOf(event);
    return deadLetters(journal.stateDir).add({
        hook_name: hook.name,
        event: hook.native_event ?? event.event_type,
        ...(subject === undefined ? {} : { subject }),
        session_id: event.session_id,
        ...runOf(event),
        target: safeTarget(hook),
        attempt_count: report.attempts,
        failure_mode: hook.on_failure,
        invocation_digest: invocation,
        definition_digest: definitionDigest(hook),
        error: safeError(hook, report.error ?? 'failed'),
    }).error?.message;
}
export function hasFailed({ status }) {
    return status === 'failed' || status === 'timed_out';
}
/** Inputs may be large: each is read through once. The native payload is what the rest was made from. */
function invocationDigest(event) {
    const { timestamp: _timestamp, native: _native, tool_input, ...lasting } = event;
    return quickDigest({ ...lasting, tool_input: quickDigest(tool_input ?? {}) });
}
/** Digest of the hook's definition, excluding where it was found. */
function definitionDigest({ origin: _, ...definition }) {
    return digest({ ...definition, run: { ...definition.run, call: undefined } });
}
function subjectOf(event) {
    const { subject } = eventRow(event.event_type);
    const value = subject === null ? undefined : event[subject];
    return typeof value === 'string' ? value : undefined;
}
function runOf(event) {
    const id = event.run_id ?? event.context.run_id;
    return typeof id === 'string' ? { run_id: id } : {};
}

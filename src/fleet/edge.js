/**
 * The part of crosshook that talks to the hub, in a process of its own: what it does, and whether it runs at all, costs a
 * decision no time. It takes policies, sends the journal, and shows that the agents obey.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../spec/errors.ts';
import { followAsks } from './asks.ts';
import { createClient, HubError } from './client.ts';
import { edgeKey } from './enrolment.ts';
import { keepGuard } from './guard.ts';
import { mendPolicy } from './mend-policy.ts';
import { modeOf, readPolicyState } from './policy-state.ts';
import { activate, takePolicy } from './take-policy.ts';
import { createUploader } from './upload.ts';
const TIMES = { upload: 2000, prove: 3600000, reconnect: 10000, lateLook: 30000 };
/** Until the signal, or until the hub says that this machine was revoked. */
export async function runEdge(options) {
    const { state, fleet, enrolment, trouble, signal } = options;
    const times = { ...TIMES, ...options.times };
    const client = createClient(edgeKey(state), enrolment);
    const policy = () => readPolicyState(fleet, enrolment);
    activate(fleet, policy());
    const revoked = new AbortController();
    const ending = AbortSignal.any([signal, revoked.signal]);
    // What went wrong with the policy, for the hub's page.
    let problem = null;
    let isReportDue = true;
    const heard = () => keepGuard(fleet, policy(), Date.now());
    async function follow() {
        const { revision, stage } = policy();
        for await (const event of client.events(`${revision}.${stage}`, ending)) {
            heard();
            if (event.name === 'revoked')
                return revoked.abort();
            if (event.name !== 'policy')
                continue;
            try {
                if (await takePolicy({ fleet, enrolment, client }, event.data))
                    isReportDue = true;
                if (problem !== null)
                    isReportDue = true;
                problem = null;
            }
            catch (error) {
                // Nothing was changed: the last good one stays in force.
                problem = messageOf(error).slice(0, 900);
                isReportDue = true;
                trouble(problem);
                if (error instanceof HubError)
                    throw error;
            }
            heard();
        }
    }
    const uploader = createUploader(client, options.journal, enrolment);
    let provenAt = Number.NEGATIVE_INFINITY;
    async function send() {
        await uploader.drain(policy(), ending);
        const isProofDue = Date.now() - provenAt > times.prove;
        if (!isReportDue && !isProofDue)
            return;
        isReportDue = false;
        await report(client, options, problem, null);
        if (!isProofDue)
            return;
        provenAt = Date.now();
        const proof = await options.prove();
        const mended = await mendPolicy(fleet, policy(), client);
        if (mended > 0)
            trouble(`${mended} files of the policy had been changed, and were put back.`);
        const drift = mended > 0 ? [{ kind: 'drift', n: mended }] : [];
        await report(client, options, problem, { ...proof, alarms: [...proof.alarms, ...drift] });
    }
    const loops = [
        again(() => followAsks({
            client,
            settings: join(fleet, 'current', 'crosshook.toml'),
            desk: options.desk,
            edge: enrolment.id,
            trouble,
            signal: ending,
            lateLook: times.lateLook,
        }), () => times.reconnect, ending, (error) => giveUp(error, revoked, trouble)),
        again(follow, () => Math.random() * times.reconnect, ending, (error) => giveUp(error, revoked, trouble)),
        again(send, () => times.upload, ending, (error) => {
            isReportDue = true;
            giveUp(error, revoked, trouble);
        }),
    ];
    await Promise.all(loops);
    return revoked.signal.aborted ? 'revoked' : 'stopped';
}
async function report(client, { fleet, enrolment, version }, problem, proof) {
    const state = readPolicyState(fleet, enrolment);
    const { revision, stage } = state;
    await client.call('POST', '/fleet/proofs', JSON.stringify({
        ...{ revision, stage, mode: modeOf(state), version, problem },
        ...{ agents: proof?.agents ?? null, alarms: proof?.alarms ?? null },
    }));
}
/** A hub that does not know this machine any more is not asked again and again. */
function giveUp(error, revoked, trouble) {
    if (error instanceof HubError && error.status === 401 && /revoked/.test(error.body)) {
        trouble('The hub says that this machine is not enrolled any more. Its last policy stays in force.');
        revoked.abort();
    }
    else if (!(error instanceof HubError && error.status === 0))
        trouble(messageOf(error));
}
async function again(work, pause, signal, failed) {
    while (!signal.aborted) {
        try {
            await work();
        }
        catch (error) {
            if (!signal.aborted)
                failed(error);
        }
        await sleep(pause(), undefined, { signal }).catch(() => { });
    }
}

/** Slack, and what speaks like it: an incoming webhook with buttons, whose presses come to an interaction endpoint. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { CrosshookError } from '../../spec/errors.ts';
import { button, pressed } from '../button.ts';
import { post } from '../post.ts';
import { requireSecret } from '../secrets.ts';
const TOLERANCE_SECONDS = 300;
/** Of one block, in characters: Slack takes 3000. */
const LONGEST = 2500;
export const open = ({ settings, secrets }) => {
    const url = settings.slack?.url;
    if (url === undefined)
        return undefined;
    const send = (text, blocks) => post(url, JSON.stringify({ text, ...(blocks ? { blocks } : {}) }), {});
    return {
        tell: (question) => send(`${escaped(question.agent_title)} asks: ${escaped(question.summary)}`, [
            { type: 'section', text: { type: 'mrkdwn', text: sectionText(question) } },
            {
                type: 'actions',
                block_id: question.id,
                elements: ['allow', 'deny'].map((decision) => ({
                    type: 'button',
                    action_id: decision,
                    style: decision === 'allow' ? 'primary' : 'danger',
                    text: { type: 'plain_text', text: decision === 'allow' ? 'Allow once' : 'Deny' },
                    value: button(secrets, 'slack', question, decision),
                })),
            },
        ]),
        over: async (question, { decision, by, via }) => {
            if (via === 'slack')
                return; // the one who pressed is told in the answer to the press
            await send(`${decision === 'allow' ? 'Allowed' : 'Denied'} by ${escaped(by)}: ${escaped(question.summary)}`);
        },
        flood: (question) => send(`${escaped(question.agent_title)} asks too much: further questions of this session are refused for a minute.`),
        receive(request) {
            verifySlack(requireSecret(secrets, 'slack'), request);
            const payload = payloadOf(request.body);
            const { id, decision, digest } = pressed(secrets, 'slack', payload.actions?.[0]?.value);
            const user = payload.user?.id ?? '';
            // A Slack account is not a person's key: only those who are named in the settings count by name.
            const by = settings.approvers?.find(({ slack }) => slack !== undefined && slack === user)?.name;
            return {
                id,
                given: { decision, digest, by: by ?? `slack:${user}`, via: 'slack' },
                reply: {
                    replace_original: true,
                    text: `${decision === 'allow' ? 'Allowed' : 'Denied'} by <@${user}>.`,
                },
            };
        },
    };
};
/** `v0` signatures: https://api.slack.com/authentication/verifying-requests-from-slack */
export function verifySlack(secret, { headers, body }, now = Date.now()) {
    const { 'x-slack-request-timestamp': timestamp = '', 'x-slack-signature': given = '' } = headers;
    const isRecent = /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
    const right = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`);
    const found = Buffer.from(given);
    if (!isRecent || found.length !== right.length || !timingSafeEqual(found, right))
        throw new CrosshookError('refused', 'the request is not signed by Slack just now', {
            fix: 'Give crosshook the signing secret of the app: `crosshook approvals key slack`.',
        });
}
function payloadOf(body) {
    try {
        return JSON.parse(new URLSearchParams(body).get('payload') ?? '');
    }
    catch {
        throw new CrosshookError('bad_input', 'the request has no payload');
    }
}
function sectionText({ summary, why, work_dir, agent_title, deadline, acts }) {
    const does = [...new Set(acts.map((act) => act.does.replaceAll('_', ' ')))].join(', ');
    const seconds = Math.max(0, Math.round((Date.parse(deadline) - Date.now()) / 1000));
    const text = `*${escaped(agent_title)}* asks, within ${seconds} s:\n\`\`\`${escaped(summary).replaceAll('```', "'''")}\`\`\`\n${escaped(why)}\nin ${escaped(work_dir)}${does === '' ? '' : `\ndoes: ${escaped(does)}`}`;
    return text.slice(0, LONGEST);
}
/** Text of a model must not become a mention or a link. */
function escaped(text) {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

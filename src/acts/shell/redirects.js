/** Where a command reads from and writes to. */
import { cutShort } from '../cut.ts';
import { noteAct, readPath, writePath } from '../follow.ts';
import { expandParts, expandText, expandWord } from './expand.ts';
import { assign, mergeFlows, NOTHING } from './state.ts';
/** Characters of a here-document whose expansions are followed. */
const LONGEST_EXPANDED = 300000;
export function applyRedirects(run, redirects, state, input) {
    if (redirects.length === 0)
        return { state, input, outputs: [] };
    const result = { state, input, outputs: [] };
    const descriptors = new Map(state.descriptors);
    result.state = { ...state, descriptors };
    for (const redirect of redirects) {
        const descriptor = descriptorOf(redirect, state, descriptors);
        if (redirect.type === 'Redirect') {
            for (const target of redirect.target ? expandWord(run, redirect.target, state) : [])
                redirectTo(run, redirect.operator, target, descriptor, result, descriptors);
            continue;
        }
        let word;
        if (redirect.type === 'HereString') {
            const text = redirect.target ? expandText(run, redirect.target, state) : { text: '' };
            word = { ...text, text: `${text.text}\n` };
        }
        else {
            const { body } = redirect;
            if (body.text.length > LONGEST_EXPANDED && redirect.delimiter?.quoted !== true) {
                if (/\$\(|`/.test(body.text))
                    cutShort('a here-document is too long to be expanded');
                word = { text: body.text, unknown: true };
            }
            else
                word = body.parts ? expandParts(run, body.parts, state) : { text: body.text };
        }
        // A text with unknown parts is still worth following: the parts stand as they were spelled.
        const flow = { ...word.flow, text: word.text, ...(word.unknown && { partly: true }) };
        if (descriptor === undefined || descriptor === 0)
            result.input = flow;
        else
            descriptors.set(descriptor, flow);
    }
    return result;
}
/** `{name}<file` opens a descriptor with a number of the shell's choice. */
function descriptorOf({ descriptor }, state, descriptors) {
    if (!descriptor)
        return undefined;
    if (descriptor.type === 'FileDescriptor')
        return descriptor.value;
    const { name } = descriptor;
    const number = FIRST_FREE + descriptors.size;
    assign(state, name, { text: String(number) });
    return number;
}
/** Bash takes numbers from 10 on. */
const FIRST_FREE = 10;
function redirectTo(run, operator, target, descriptor, result, descriptors) {
    const { state } = result;
    const { text } = target;
    const socket = /^\/dev\/(?:tcp|udp)\/([^/]+)\/(.+)$/.exec(text);
    if (socket) {
        result.socket = socket[1];
        noteAct(run, state, { does: 'connect', host: socket[1], why: 'a socket of the shell' }, undefined);
        if (operator === '<' || operator === '<>') {
            const flow = { hosts: [socket[1]] };
            if (descriptor === undefined || descriptor === 0)
                result.input = flow;
            else
                descriptors.set(descriptor, flow);
        }
        return;
    }
    if (operator === '<&') {
        const known = descriptors.get(Number(text));
        if (known)
            result.input = known;
        return;
    }
    if (operator === '>&' && /^(?:\d+-?|-)$/.test(text))
        return;
    if (operator === '<' || operator === '<>') {
        const flow = target.flow ?? readPath(run, state, target, undefined);
        if (descriptor === undefined || descriptor === 0)
            result.input = { ...flow };
        else
            descriptors.set(descriptor, flow);
        if (operator === '<')
            return;
    }
    for (const path of writePath(run, state, target, undefined))
        if (descriptor === undefined || descriptor === 1)
            result.outputs.push({ path, append: operator.includes('>>') });
        else if (descriptor !== 2)
            state.files.set(path, {});
}
/** What a command printed goes into its files; what is left over goes on. */
export function writeOutput(_run, { outputs, state }, output) {
    if (outputs.length === 0)
        return output;
    for (const { path, append } of outputs) {
        const before = append ? state.files.get(path) : undefined;
        state.files.set(path, before ? mergeFlows(before, output) : output);
    }
    return NOTHING;
}

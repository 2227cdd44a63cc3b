/** The process of an agent among those that lead to ours: what the kernel says of it, not the environment. */
import { lookAt } from './starter.ts';
/** More are never between a shell and the first process. */
const MOST_ANCESTORS = 100;
export function agentProcess(names, pid, look = lookAt) {
    for (let next = pid, i = 0; next > 0 && i < MOST_ANCESTORS; i++) {
        const found = look(next);
        if (!found)
            return undefined;
        if (processNames(found.argv).some((name) => names.includes(name)))
            return found;
        next = found.parent;
    }
    return undefined;
}
const INTERPRETERS = /^(?:node|nodejs|bun|deno|electron|python[\d.]*|ruby|perl|(?:ba|da|z|k|a)?sh|busybox|env|npx|uv|uvx)$/i;
/** Of the program and, where it runs a script, of that and of the package in which it lies. */
export function processNames([program = '', ...args]) {
    const name = nameOf(program);
    const script = INTERPRETERS.test(name) ? args.find((arg) => !arg.startsWith('-')) : undefined;
    const packages = [program, script ?? ''].flatMap((path) => /.*\/node_modules\/(?:@[^/]+\/)?([^/]+)\//.exec(path)?.[1] ?? []);
    return [name, ...(script === undefined ? [] : [nameOf(script)]), ...packages];
}
function nameOf(path) {
    return path
        .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
        .replace(/^-/, '')
        .replace(/\.(?:exe|c?js|mjs|ts|py|sh|AppImage)$/, '')
        .toLowerCase();
}

/** What a confined program may do, whichever system enforces it. Whatever is not named is refused. */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
/** Paths, and the words `project`, `home` and `temp` for folders of the event. */
export function pathsOf(texts, folders) {
    return (texts ?? []).flatMap((text) => {
        if (text === 'project')
            return folders.project;
        if (text === 'temp')
            return folders.temp;
        if (text === 'home')
            return folders.home ?? [];
        if (text === '~' || text.startsWith('~/'))
            return folders.home ? join(folders.home, text.slice(1)) : [];
        return isAbsolute(text) ? text : resolve(folders.work, text);
    });
}
const ANYWHERE = '*';
const SOCKET = 'unix:';
/** What stands in `connect` and cannot be held. */
export function hostsIn(connect) {
    return connect.filter((one) => !one.startsWith(SOCKET) && one !== ANYWHERE);
}
/** Addresses are all or none: neither Landlock nor Seatbelt can tell hosts apart. A sentence when that is not enough. */
export function connections(connect = [], folders) {
    const sockets = connect.filter((one) => one.startsWith(SOCKET));
    const hosts = hostsIn(connect);
    if (hosts.length > 0)
        return `connect can be ["*"] or [], or name Unix sockets ("unix:PATH"): no system confines a program to ${hosts.join(', ')}`;
    const paths = pathsOf(sockets.map((one) => one.slice(SOCKET.length)), folders);
    const forbidden = paths.find((path) => folders.own.some((own) => isWithin(path, own) || isWithin(own, path)));
    if (forbidden !== undefined)
        return `${forbidden} leads to crosshook's own sockets, which nothing confined may reach`;
    return { network: connect.includes(ANYWHERE), sockets: paths };
}
function isWithin(path, folder) {
    const [inner, outer] = [realPath(path), realPath(folder)];
    return inner === outer || inner.startsWith(outer === sep ? sep : outer + sep);
}
/** As far as it exists. */
function realPath(path) {
    try {
        return realpathSync(path);
    }
    catch {
        const above = dirname(path);
        return above === path ? path : join(realPath(above), basename(path));
    }
}

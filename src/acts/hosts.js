/** Hosts in arguments: URLs, `user@host:path`, `host:port`. */
export function hostOf(text) {
    const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)/i.exec(text);
    if (url)
        return url[1].toLowerCase();
    const remote = /^(?:[^@/\s]+@)?(\[[^\]]+\]|[A-Za-z0-9_.-]+)(?::|\/|$)/.exec(text);
    return remote ? remote[1].toLowerCase() : undefined;
}
/** `file:///etc/passwd` is a path of this machine. */
export function localPath(text) {
    const found = /^file:\/\/(?:localhost)?(\/.*|[^/].*)$/i.exec(text);
    if (!found)
        return undefined;
    try {
        return decodeURIComponent(found[1]);
    }
    catch {
        // Not a valid escape: the text is taken as it stands.
        return found[1];
    }
}

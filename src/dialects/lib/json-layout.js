/** How a JSON text is laid out, and how to print more of it in the same way. */
export function layoutOf(text) {
    const indent = /^([ \t]+)["{[]/m.exec(text)?.[1] ?? '  ';
    return {
        eol: text.includes('\r\n') ? '\r\n' : '\n',
        indent,
        inline: text.trim().length > 2 && !text.trim().includes('\n'),
    };
}
/** Brackets never touch their content, see json-settings. */
export function print(value, layout, depth) {
    if (layout.inline)
        return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
    const lead = layout.indent.repeat(depth);
    return JSON.stringify(value, null, layout.indent).replaceAll('\n', layout.eol + lead);
}

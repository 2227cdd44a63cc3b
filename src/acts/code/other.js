/** Small languages that need no tokens: awk, sed, SQL, vim, PowerShell, cmd. */
import { atMost, beginning } from '../cut.ts';
import { sqlEffects } from '../programs/sql.ts';
export function scanOther(language, code) {
    const scan = OTHERS[language];
    return scan ? { effects: scan(code) } : null;
}
const OTHERS = {
    awk(code) {
        const effects = [];
        for (const [, text] of code.matchAll(/\bsystem\s*\(\s*"((?:\\.|[^"\\])*)"/g))
            effects.push({ script: unescaped(text) });
        for (const [, text] of code.matchAll(/"((?:\\.|[^"\\])*)"\s*\|&?\s*getline/g))
            effects.push({ script: unescaped(text) });
        for (const [, text] of code.matchAll(/\|&?\s*"((?:\\.|[^"\\])*)"/g))
            effects.push({ script: unescaped(text) });
        for (const [, text] of code.matchAll(/>{1,2}\s*"((?:\\.|[^"\\])*)"/g))
            effects.push({ does: 'write', path: unescaped(text) });
        for (const [, text] of code.matchAll(/getline\s*(?:\w+\s*)?<\s*"((?:\\.|[^"\\])*)"/g))
            effects.push({ does: 'read', path: unescaped(text) });
        if (/\bsystem\s*\(\s*[^"\s)]|\$\w+\s*\|\s*getline/.test(code))
            effects.push({ script: { text: '$input', unknown: true } }, { does: 'unknown', why: 'awk runs what it reads' });
        return effects;
    },
    sed(code) {
        const effects = [];
        for (const line of atMost(code.split(/\n|;(?=\s*[\d$/{a-zA-Z])/), MOST_COMMANDS, 'commands of sed')) {
            const piece = beginning(line, 2000, 'a command of sed');
            const write = /(?:^|[\s\d$/}!])w\s+(\S.*)$/.exec(piece);
            if (write)
                effects.push({ does: 'write', path: { text: write[1].trim() } });
            const run = /(?:^|[\s\d$/{]|\d)e\s+(\S.*)$/.exec(piece);
            if (run)
                effects.push({ script: { text: run[1].replace(/\}\s*$/, '') } });
            const substitution = /s([^\w\s\\])((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1([a-zA-Z0-9]*)/.exec(piece);
            if (substitution && /e/.test(substitution[4]))
                effects.push({ script: { text: substitution[3].replace(/\\(.)/g, '$1') } });
            const to = substitution &&
                /w\s+(\S+)/.exec(piece.slice(piece.indexOf(substitution[0]) + substitution[0].length - 1));
            if (to)
                effects.push({ does: 'write', path: { text: to[1] } });
        }
        return effects;
    },
    sql: sqlEffects,
    vim(code) {
        const effects = [];
        for (const [, text] of code.matchAll(/(?:^|[\n|:])\s*(?:silent!?\s+)?(?:%|\d+|\.)?!\s*([^\n]+)/g))
            effects.push({ script: { text: text } });
        for (const [, text] of code.matchAll(/\bsystem(?:list)?\(\s*(?:'([^']*)'|"([^"]*)")/g))
            if (text !== undefined)
                effects.push({ script: { text } });
        for (const [, path] of code.matchAll(/(?:^|[\n|:])\s*(?:w|write|sav|saveas)!?\s+(?!!)(\S+)/g))
            effects.push({ does: 'write', path: { text: path } });
        for (const [, path] of code.matchAll(/(?:^|[\n|:])\s*(?:r|read|e|edit|so|source)!?\s+(?!!)(\S+)/g))
            effects.push({ does: 'read', path: { text: path } });
        return effects;
    },
    powershell: (code) => [
        ...lines(code, /[;\n]|\|\||&&|\|(?!\|)/).map((argv) => ({ argv })),
        ...ranAsCode(code),
    ],
    cmd: (code) => lines(code.replace(/\^([^\n])/g, '$1'), /\n|&{1,2}|\|{1,2}/).map((argv) => ({ argv })),
};
/** `iex (iwr …)`, `iex $client.DownloadString(…)`, `iex (… FromBase64String …)`. */
function ranAsCode(code) {
    if (!/\b(?:iex|invoke-expression)\b|\[scriptblock\]::create|\.invokescript\(/i.test(code))
        return [];
    if (/\b(?:iwr|irm|curl|wget|invoke-(?:webrequest|restmethod)|downloadstring|downloaddata)\b/i.test(code))
        return [{ does: 'run', place: 'remote', why: 'runs what it fetches' }];
    return /frombase64string|-join\s|\[char\]|decompress/i.test(code)
        ? [{ does: 'run', place: 'decoded', why: 'runs what it decodes' }]
        : [];
}
function unescaped(text) {
    return {
        text: text
            .replace(/\\(["\\/])/g, '$1')
            .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
            .replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
            .replaceAll('\\n', '\n')
            .replaceAll('\\t', '\t'),
    };
}
const MOST_COMMANDS = 1000;
/** The commands of a line by program and arguments; the program's name in lower case, as these shells take it. */
function lines(code, separator) {
    return atMost(code.split(separator), MOST_COMMANDS, 'commands in a script')
        .map((line) => {
        const words = line.match(/"(?:`.|[^"])*"|'[^']*'|[^\s"'(){}]+/g) ?? [];
        const argv = words.map((text) => {
            const bare = (/^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text).replace(/^(?:\$HOME|\$env:(?:HOME|USERPROFILE)|%USERPROFILE%)(?=[\\/]|$)/i, '~');
            return { text: bare, ...(/[$%]\w/.test(bare) && !text.startsWith("'") && { unknown: true }) };
        });
        if (argv[0]?.text === '&' || argv[0]?.text === '.')
            argv.shift();
        return argv.map((word, at) => (at === 0 ? { ...word, text: word.text.toLowerCase() } : word));
    })
        .filter((argv) => argv.length > 0);
}

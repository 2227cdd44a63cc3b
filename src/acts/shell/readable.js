/** How much of a text the parser is given: it is fast, but not for any number of signs, nor for braces that stay open. */
import { cutShort } from '../cut.ts';
/** Characters outside of quotes and here-documents that are more than text: 16,000 are parsed in about 40 ms. */
const MOST_SIGNS = 16000;
/** The parser looks for the end of each `{a,` that it meets, and of each here-document. */
const MOST_BRACES = 2500;
const MOST_DOCUMENTS = 2500;
/** The text, or its beginning: that it was cut is told. */
export function readable(text) {
    // As short as this nothing can be too much.
    if (text.length <= MOST_BRACES)
        return text;
    const counts = { signs: 0, braces: 0, documents: 0 };
    for (let at = 0; at < text.length; at++) {
        const sign = text[at];
        if (sign === "'" || sign === '"')
            at = quoteEnd(text, at, counts);
        else if (sign === '\\')
            at++;
        else if (sign === '#' && /\s/.test(text[at - 1] ?? ' '))
            at = endOr(text, '\n', at, text.length);
        else if (sign === '<' && text[at + 1] === '<') {
            counts.documents++;
            at = documentEnd(text, at);
        }
        else if (sign === '{' && text[at - 1] !== '$')
            counts.braces++;
        if (isSign(sign))
            counts.signs++;
        const over = tooMany(counts);
        if (over !== undefined) {
            cutShort(over);
            return text.slice(0, at);
        }
    }
    return text;
}
function tooMany({ signs, braces, documents }) {
    if (braces > MOST_BRACES)
        return `more than ${MOST_BRACES} braces`;
    if (documents > MOST_DOCUMENTS)
        return `more than ${MOST_DOCUMENTS} here-documents`;
    return signs > MOST_SIGNS ? `more than ${MOST_SIGNS} signs` : undefined;
}
function isSign(sign) {
    return !/[\w./:=@%+-]/.test(sign);
}
/** The end of a quoted text, or the same place when it has none. Substitutions in it are parsed too. */
function quoteEnd(text, at, counts) {
    const quote = text[at];
    let end = text.indexOf(quote, at + 1);
    if (quote === '"')
        while (end !== -1 && isEscaped(text, end))
            end = text.indexOf(quote, end + 1);
    if (end === -1)
        return at;
    if (quote === '"')
        for (let inner = at; inner < end; inner++)
            if (/[$`]/.test(text[inner]))
                counts.signs++;
    return end;
}
function isEscaped(text, at) {
    let count = 0;
    while (text[at - 1 - count] === '\\')
        count++;
    return count % 2 === 1;
}
/** The last character of a here-document that begins here, or of `<<` when it has no end. */
function documentEnd(text, at) {
    const begins = /^<<-?\s*(['"]?)(\w+)\1[^\n]{0,500}\n/.exec(text.slice(at, at + 600));
    if (!begins)
        return at + 1;
    const end = text.indexOf(`\n${begins[2]}`, at + begins[0].length - 1);
    return end === -1 ? at + 1 : end;
}
function endOr(text, sign, at, otherwise) {
    const end = text.indexOf(sign, at);
    return end === -1 ? otherwise : end;
}

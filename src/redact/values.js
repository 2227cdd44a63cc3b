/** How far a value reaches that begins after `password=` or `"password": `. */
/** A quoted text, or a word. Undefined when there is nothing. */
export function valueAt(text, from, inQuery) {
    const { start, quote } = opening(text, from);
    const closing = quote === undefined ? undefined : closingQuote(text, start, quote);
    if (closing !== undefined)
        return span(start, closing);
    return word(text, start, inQuery ? QUERY_END : WORD_END);
}
/** All of a header's line, to the quote that opened before its name if there is one. */
export function lineOf(text, from, before) {
    const { start, quote } = opening(text, from);
    const closing = closingQuote(text, start, quote ?? (QUOTES.includes(before) ? before : '\n'));
    const end = closing ?? text.length;
    return span(start, start + endAt(text.slice(start, end), 0, LINE_END));
}
/** `Bearer x`, or the many words of schemes that sign a request. */
export function wordsOf(text, from, before) {
    const { start, quote } = opening(text, from);
    if (quote !== undefined)
        return valueAt(text, from, false);
    SIGNING.lastIndex = start;
    if (SIGNING.test(text))
        return lineOf(text, from, before);
    SCHEME.lastIndex = start;
    const scheme = SCHEME.exec(text);
    const credential = word(text, start + (scheme?.[0].length ?? 0), WORD_END);
    return credential && { start, end: credential.end };
}
const QUOTES = ['"', "'", '`'];
// A value may stand on the next line when it is quoted or announced by YAML's `|`.
const OPENING = /[ \t]{0,8}(?:[|>][+-]?\r?\n[ \t]{1,16}|\r?\n[ \t]{0,16}(?=\\{0,4}["'`]))?(\\{0,4}["'`])?/y;
const WORD_END = /(?<!\\)\s|["'`]|\\["'`n]/g;
const QUERY_END = /[\s"'`<>&#]|\\["'`n]/g;
const LINE_END = /[\r\n]|\\[rn]/g;
const SIGNING = /(?:digest|aws4-|oauth|hawk|signature|negotiate)\S*[ \t]/iy;
const SCHEME = /[A-Za-z][\w-]{1,30}(?:\\? ){1,4}(?=[^\s"'])/y;
const TRAILING = ',;)}]';
const FARTHEST_QUOTE = 4096;
function opening(text, from) {
    OPENING.lastIndex = from;
    const quote = OPENING.exec(text)?.[1];
    return { start: OPENING.lastIndex, quote };
}
function word(text, start, ends) {
    let end = endAt(text, start, ends);
    while (end > start && TRAILING.includes(text[end - 1]))
        end--;
    return span(start, end);
}
function span(start, end) {
    return end > start ? { start, end } : undefined;
}
function endAt(text, start, ends) {
    ends.lastIndex = start;
    return ends.exec(text)?.index ?? text.length;
}
/** The place of the quote that ends the value; the line's end if it is far; undefined when there is neither. */
function closingQuote(text, start, quote) {
    let closing = text.indexOf(quote, start);
    while (closing !== -1 && quote.length === 1 && isEscaped(text, start, closing))
        closing = text.indexOf(quote, closing + 1);
    if (closing !== -1 && closing < start + FARTHEST_QUOTE)
        return closing;
    const lineEnd = text.indexOf('\n', start);
    const ends = [closing, lineEnd].filter((end) => end !== -1);
    return ends.length > 0 ? Math.min(...ends) : undefined;
}
function isEscaped(text, start, at) {
    let backslashes = 0;
    while (at - backslashes > start && text[at - backslashes - 1] === '\\')
        backslashes++;
    return backslashes % 2 === 1;
}

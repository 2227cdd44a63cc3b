/** What a process prints, as bytes up to a limit. */
/** Goes on reading beyond the limit, so that a process that prints much is not held up. */
export function collect(stream, limit, onOverflow) {
    const chunks = [];
    let received = 0;
    stream.on('data', (chunk) => {
        const room = limit - received;
        received += chunk.length;
        if (room >= chunk.length)
            chunks.push(chunk);
        else if (room >= 0) {
            chunks.push(chunk.subarray(0, room));
            onOverflow();
        }
    });
    stream.on('error', () => { }); // a reset by the other end is the end of the output
    return {
        text: () => textOf(Buffer.concat(chunks), received > limit),
        isCut: () => received > limit,
        received: () => received,
    };
}
/** Of bytes that were cut, no half character. */
export function textOf(bytes, isCut) {
    return bytes.toString('utf8', 0, isCut ? wholeCharacters(bytes) : bytes.length);
}
/** The length without a last character of which only the first bytes are there. */
function wholeCharacters(bytes) {
    let start = bytes.length - 1;
    while (start > 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80)
        start--;
    const lead = bytes[start] ?? 0;
    const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    return start >= 0 && bytes.length - start < size ? start : bytes.length;
}

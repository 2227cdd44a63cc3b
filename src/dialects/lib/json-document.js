/** A JSON file with the line of each of its parts, for problems that point at the place. Loaded only while reading files. */
import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
export function parseJson(text) {
    const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
    const errors = [];
    const root = parseTree(source, errors, { disallowComments: true, allowTrailingComma: false });
    const lineAt = (offset) => source.slice(0, offset).split('\n').length;
    const line = (path) => {
        for (let depth = path.length; root && depth > 0; depth--) {
            const node = findNodeAtLocation(root, path.slice(0, depth));
            if (node)
                return lineAt((node.parent?.type === 'property' ? node.parent : node).offset);
        }
        return 1;
    };
    const first = errors[0];
    if (first)
        return {
            value: undefined,
            line,
            error: { message: sentence(printParseErrorCode(first.error)), line: lineAt(first.offset) },
        };
    return { value: JSON.parse(source), line };
}
/** `CommaExpected` → `comma expected`. */
function sentence(code) {
    return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

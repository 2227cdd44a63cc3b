/** In which line of the text a field stands. */
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
export function lineFinder(text) {
    const errors = [];
    const tree = parseTree(text, errors, { disallowComments: true });
    return ({ path }) => {
        if (path.length === 0)
            return errors[0] && lineOf(text, errors[0].offset);
        // A field that is missing is reported where it should stand.
        for (let length = path.length; tree !== undefined && length >= 0; length--) {
            const node = findNodeAtLocation(tree, path.slice(0, length));
            if (node === undefined)
                continue;
            return lineOf(text, node.parent?.type === 'property' ? node.parent.offset : node.offset);
        }
        return undefined;
    };
}
function lineOf(text, offset) {
    return text.slice(0, offset).split('\n').length;
}

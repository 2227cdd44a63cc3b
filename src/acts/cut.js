/**
 * Limits that leave out a part of a call. What is left out may do anything, so it is told: a guard that finds nothing in
 * the rest has not judged the call. A call is followed without a pause, so one list is enough for all that follow it.
 */
let cuts = new Set();
/** A part of the call that is being followed was left out. */
export function cutShort(why) {
    cuts.add(why);
}
/** Why parts were left out since this was last asked. */
export function takeCuts() {
    const taken = [...cuts];
    if (taken.length > 0)
        cuts = new Set();
    return taken;
}
/** The first of several; that there were more is told. */
export function atMost(items, most, what) {
    if (items.length <= most)
        return items;
    cutShort(`more than ${most} ${what}`);
    return items.slice(0, most);
}
/** The beginning of a text; that there was more is told. */
export function beginning(text, longest, what) {
    if (text.length <= longest)
        return text;
    cutShort(`${what} is longer than ${longest} characters`);
    return text.slice(0, longest);
}

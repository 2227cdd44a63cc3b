/** Tells runs without a person by the options that an agent was started with. */
/** True when one of `options` is among them and none of `unless`, such as one that sends questions elsewhere. */
export function startedWith(options, unless = []) {
    const has = (argv, names) => argv.some((word) => names.some((name) => word === name || word.startsWith(`${name}=`)));
    return ({ argv = [] }) => has(argv, options) && !has(argv, unless);
}

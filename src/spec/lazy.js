/** Loads once, when first asked. A load that failed is forgotten: the next call tries again. */
export function lazy(load) {
    let loading;
    const get = () => {
        loading ??= load().catch((error) => {
            loading = undefined;
            throw error;
        });
        return loading;
    };
    return { get, started: () => loading };
}

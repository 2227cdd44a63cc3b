/** Stage 5: a decision `ask` is put to a person. Without a port the agent's own dialogue asks (see `degrade`). */
export async function ask(context) {
    const { outcome, services } = context;
    const answer = await services.ask?.(context);
    if (answer)
        context.outcome = { ...outcome, ...answer };
}

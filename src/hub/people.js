/** How people reach a hub: its page, the ways to sign in there, and the channels that ring elsewhere. */
import { createChannels } from './channels.ts';
import { pageRoutes } from './page.ts';
import { createSessions, sessionKey } from './sessions.ts';
export async function peopleParts(db, { publicUrl, isSecure, provider, trouble }) {
    const key = await sessionKey(db);
    const sessions = createSessions(db, key, isSecure || publicUrl?.startsWith('https:') === true);
    const signIn = provider && (await import('./sign-in.ts'));
    return {
        channels: createChannels({ db, key, publicUrl, trouble }),
        personOfSession: sessions.personOf,
        extend(app) {
            pageRoutes(app, { db, sessions, hasProvider: provider !== undefined });
            if (signIn && provider)
                signIn.signInRoutes(app, { db, key, sessions }, provider);
        },
    };
}

/** People sign in at their identity provider (OpenID Connect, code flow with PKCE) and get a session of this hub. */
import { getCookie, setCookie } from 'hono/cookie';
import * as client from 'openid-client';
import { isLoopback } from '../host/address.ts';
import { Refusal } from '../host/problem.ts';
import { seal, unseal } from './sessions.ts';
import { audit } from './store/audit.ts';
import { personBySubject } from './store/tenants.ts';
const FLOW = 'crosshook_sign_in';
const FLOW_MS = 10 * 60000;
export function signInRoutes(app, parts, options) {
    const { db, key, sessions } = parts;
    const { issuer, clientId, clientSecret, publicUrl, tenant } = options;
    const isLocal = isLoopback(new URL(issuer).hostname);
    const secure = !isLoopback(new URL(publicUrl).hostname);
    const redirect = `${publicUrl}/sign-in/callback`;
    let found;
    const provider = () => {
        found ??= client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
            execute: isLocal ? [client.allowInsecureRequests] : [],
        });
        found.catch(() => {
            found = undefined;
        });
        return found;
    };
    const cookie = { httpOnly: true, secure, sameSite: 'Lax', path: '/' };
    app.get('/sign-in', async (c) => {
        const flow = {
            state: client.randomState(),
            nonce: client.randomNonce(),
            verifier: client.randomPKCECodeVerifier(),
        };
        setCookie(c, FLOW, seal(key, 'flow', flow, FLOW_MS), { ...cookie, maxAge: FLOW_MS / 1000 });
        const url = client.buildAuthorizationUrl(await provider(), {
            redirect_uri: redirect,
            scope: 'openid email',
            state: flow.state,
            nonce: flow.nonce,
            code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
            code_challenge_method: 'S256',
        });
        return c.redirect(url.href);
    });
    app.get('/sign-in/callback', async (c) => {
        const flow = unseal(key, 'flow', getCookie(c, FLOW) ?? '');
        if (!flow)
            throw new Refusal({
                status: 400,
                code: 'refused',
                detail: 'This sign-in was begun elsewhere, or too long ago.',
            });
        const url = new URL(redirect);
        url.search = new URL(c.req.url).search;
        let claims;
        try {
            const tokens = await client.authorizationCodeGrant(await provider(), url, {
                pkceCodeVerifier: flow.verifier,
                expectedState: flow.state,
                expectedNonce: flow.nonce,
                idTokenExpected: true,
            });
            claims = tokens.claims();
        }
        catch (error) {
            throw new Refusal({
                status: 401,
                code: 'unauthorized',
                detail: `The identity provider did not confirm it: ${error.message}`,
            });
        }
        const subjects = [
            `${claims.iss}|${claims.sub}`,
            ...(claims.email_verified === true ? [String(claims.email)] : []),
        ];
        const person = await firstPerson(db, tenant, subjects);
        if (!person)
            throw new Refusal({
                status: 403,
                code: 'refused',
                detail: `Nobody of ${tenant} has the identity ${subjects.at(-1)}.`,
            });
        setCookie(c, FLOW, '', { ...cookie, maxAge: 0 });
        c.header('set-cookie', sessions.begin(person), { append: true });
        return c.redirect('/');
    });
}
async function firstPerson(db, tenant, subjects) {
    return db.within(tenant, async (sql) => {
        for (const subject of subjects) {
            const person = await personBySubject(sql, tenant, subject);
            if (!person)
                continue;
            await audit(sql, tenant, person.id, 'signed in', { by: 'identity provider' });
            return person;
        }
        return undefined;
    });
}

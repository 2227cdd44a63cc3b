/** Services of others, on this machine: a plain server, and an identity provider. */
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
export async function serve(answer) {
    const server = createServer(async (request, response) => {
        const chunks = [];
        for await (const chunk of request)
            chunks.push(chunk);
        const said = await answer(request, response, Buffer.concat(chunks).toString());
        if (!response.writableEnded)
            response.setHeader('content-type', 'application/json').end(JSON.stringify(said ?? {}));
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${server.address().port}`;
}
/** A stand-in for an identity provider: keys, tokens, and a code flow that asks nobody. */
export async function provider() {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
    const codes = new Map();
    const sign = (claims, key = privateKey) => new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(url)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(key);
    let email = 'ada@example.com';
    const url = await serve(async (request, response, body) => {
        const asked = new URL(request.url, url);
        if (asked.pathname === '/.well-known/openid-configuration')
            return {
                issuer: url,
                jwks_uri: `${url}/keys`,
                authorization_endpoint: `${url}/authorize`,
                token_endpoint: `${url}/token`,
                response_types_supported: ['code'],
                subject_types_supported: ['public'],
                id_token_signing_alg_values_supported: ['RS256'],
            };
        if (asked.pathname === '/keys')
            return { keys: [jwk] };
        if (asked.pathname === '/authorize') {
            const code = `code${codes.size}`;
            codes.set(code, {
                nonce: asked.searchParams.get('nonce'),
                challenge: asked.searchParams.get('code_challenge'),
            });
            const back = new URL(asked.searchParams.get('redirect_uri'));
            back.searchParams.set('code', code);
            back.searchParams.set('state', asked.searchParams.get('state'));
            return response.writeHead(302, { location: back.href }).end();
        }
        const { nonce } = codes.get(new URLSearchParams(body).get('code'));
        return {
            access_token: 'a',
            token_type: 'bearer',
            id_token: await sign({ sub: 'u1', aud: 'client', nonce, email, email_verified: true }),
        };
    });
    return { url, sign, be: (other) => (email = other) };
}

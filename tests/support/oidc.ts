import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Record<string, unknown>;
/** `again`: the client asked for a new authentication of the user. */
type Authorization = { challenge: string; nonce: string; redirect: string; again: boolean };

/** A user is already signed in. By default, each address has its own subject. */
export type Provider = {
  issuer: string;
  settings: Record<string, string>;
  /** In the ID token and at the userinfo endpoint (`info`). `forged`: signed with an unpublished key. */
  setClaims: (claims: Claims, forged?: boolean, info?: Claims) => void;
  close: () => Promise<void>;
};

const ID = 'partner-booking';
const SECRET = 'the secret of a client in a test';

const keys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Verifies the client, the redirect URI, and PKCE, and accepts each code once. */
export async function startProvider(): Promise<Provider> {
  const [own, other] = [keys(), keys()];
  const authorizations = new Map<string, Authorization>();
  let claims: Claims = {};
  let forged = false;
  let userInfo: Claims = {};
  let issuer = '';

  const subject = () => `person-${String(claims.email ?? userInfo.email).toLowerCase()}`;
  const token = ({ nonce, again }: Authorization) => {
    const now = Math.floor(Date.now() / 1000);
    const body = {
      iss: issuer,
      aud: ID,
      sub: subject(),
      iat: now,
      exp: now + 60,
      nonce,
      ...claims,
      ...(again && { auth_time: now }),
    };
    const text = `${base64({ alg: 'RS256', kid: 'one' })}.${base64(body)}`;
    const key = (forged ? other : own).privateKey;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  };
  const exchange = (form: URLSearchParams, authorization = '') => {
    const code = form.get('code') ?? '';
    const found = authorizations.get(code);
    authorizations.delete(code);
    const basic = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();
    const proof = createHash('sha256').update(form.get('code_verifier') ?? '');
    const genuine =
      found?.challenge === proof.digest('base64url') &&
      found.redirect === form.get('redirect_uri') &&
      basic === `${ID}:${encodeURIComponent(SECRET).replaceAll('%20', '+')}`;
    if (!genuine || !found) return { status: 400, body: { error: 'invalid_grant' } };
    return { status: 200, body: { access_token: randomUUID(), token_type: 'Bearer', id_token: token(found) } };
  };

  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', issuer);
    const respond = (status: number, body: unknown) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname === '/.well-known/openid-configuration') {
      const at = (path: string) => issuer + path;
      const id_token_signing_alg_values_supported = ['RS256'];
      return respond(200, {
        issuer,
        authorization_endpoint: at('/authorize'),
        token_endpoint: at('/token'),
        userinfo_endpoint: at('/userinfo'),
        jwks_uri: at('/jwks'),
        id_token_signing_alg_values_supported,
      });
    }
    if (url.pathname === '/userinfo') return respond(200, { sub: subject(), ...userInfo });
    if (url.pathname === '/jwks')
      return respond(200, {
        keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
      });
    if (url.pathname === '/authorize') {
      const of = (name: string) => url.searchParams.get(name) ?? '';
      const code = randomUUID();
      const again = of('prompt') === 'login' && of('max_age') === '0';
      const redirect = of('redirect_uri');
      authorizations.set(code, { challenge: of('code_challenge'), nonce: of('nonce'), redirect, again });
      return res.writeHead(302, { location: `${of('redirect_uri')}?code=${code}&state=${of('state')}` }).end();
    }
    let body = '';
    for await (const chunk of req) body += chunk;
    const { status, body: reply } = exchange(new URLSearchParams(body), req.headers.authorization);
    return respond(status, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: ID, OIDC_CLIENT_SECRET: SECRET, OIDC_NAME: 'Harbour ID' },
    setClaims: (next, withOtherKey = false, info = {}) => {
      claims = next;
      userInfo = info;
      forged = withOtherKey;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { sign, verify } from 'node:crypto';
import { invalidField } from '@/lib/contract/errors/app-error';
import { MAX_CERTIFICATE, type Readiness, readiness } from '@/lib/contract/readiness';
import { type Signer, signerFrom, verifierOf } from '@/lib/platform/ed25519';
import { env } from '@/lib/platform/env';
import { deriveSecret, writingSecret } from '@/lib/platform/secrets';

const TYPE = 'readiness+jws';

/** Milliseconds by which the clocks of TEST and LIVE may differ. */
const CLOCK_SKEW = 5 * 60_000;

/** Returns the key pair with which this deployment signs certificates. A rotation of the secret changes it. */
export function certificateSigner(): Signer {
  return signerFrom(deriveSecret(writingSecret(), env().ENVIRONMENT, 'readiness'));
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a score: a JWS in the compact form with EdDSA (RFC 7515, RFC 8037, contract B21). */
export function certify(score: Readiness, { key, publicKey } = certificateSigner()): string {
  const text = `${encode({ alg: 'EdDSA', typ: TYPE, kid: publicKey })}.${encode(score)}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}

/** Returns the public keys of TEST that this deployment trusts. */
export function trustedKeys(): string[] {
  return env().TEST_READINESS_KEY?.split(',') ?? [];
}

const refused = (message: string) => invalidField('file', message);

/**
 * Returns the score in a certificate that a trusted key has signed.
 * @throws AppError invalid_request, which names the field `file` and why, and repeats nothing of it.
 */
export function openCertificate(file: string, now: Date, trusted: readonly string[] = trustedKeys()): Readiness {
  const text = file.trim();
  if (trusted.length === 0)
    throw refused('cannot be checked, because the operator has not set TEST_READINESS_KEY to the key of TEST');
  const parts = text.length > MAX_CERTIFICATE ? [] : text.split('.');
  const [head = '', body = '', signature = ''] = parts;
  // Only one spelling of each part is accepted.
  const isWhole = parts.length === 3 && parts.every((part) => part !== '' && isBase64Url(part));
  const header = isWhole ? jsonOf(head) : null;
  if (!isObject(header) || header.typ !== TYPE || header.alg !== 'EdDSA')
    throw refused('is not a whole readiness file. Download it again in TEST');
  const key = trusted.find((one) => one === header.kid);
  if (!key) throw refused('is signed with a key that this deployment does not trust');
  if (!verify(null, Buffer.from(`${head}.${body}`), verifierOf(key), Buffer.from(signature, 'base64url')))
    throw refused('was changed or cut off after it was signed. Download it again in TEST');
  const parsed = readiness.safeParse(jsonOf(body));
  if (!parsed.success) throw refused('was signed by another version of the software');
  const { issued_at, expires_at } = parsed.data;
  if (Date.parse(issued_at) > now.getTime() + CLOCK_SKEW) throw refused('was issued in the future');
  if (Date.parse(expires_at) <= now.getTime()) throw refused('has expired. Ask the partner for a new one');
  return parsed.data;
}

const isBase64Url = (text: string) => Buffer.from(text, 'base64url').toString('base64url') === text;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

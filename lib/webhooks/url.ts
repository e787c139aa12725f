import { isIP } from 'node:net';
import { invalidField } from '@/lib/contract/errors/app-error';
import { allowedAddresses, RefusedAddress, type Resolve } from './addresses';
import { isBlockedPort } from './ports';

/** `allowLoopback` allows http and loopback addresses (`WEBHOOKS_ALLOW_LOOPBACK`, only in TEST). */
export type UrlRules = { allowLoopback: boolean; resolve: Resolve };

const MAX_LENGTH = 2_048;

export const URL_TOO_LONG = 'must have at most 2,048 characters';
const NO_ADDRESS = 'must be a URL such as https://partner.example/webhooks';
/** Milliseconds. Short, because a user who submits the form waits for the lookup. */
const RESOLVE_WITHIN = 2_000;

/** These never resolve to a public address. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|test|invalid|example|onion)$/;

const refuse = (message: string) => invalidField('url', message);

/**
 * Checks an endpoint's URL and returns it in normalized form (contract B11). Its addresses can change, so every
 * connection checks them again.
 * @throws AppError invalid_request if it is not allowed. The error names the field but does not contain the URL.
 */
export async function checkUrl(text: string, rules: UrlRules): Promise<string> {
  const url = readUrl(text, rules.allowLoopback);
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  // A name with an empty label, such as `localhost..`, would escape `LOCAL_NAME`.
  if (isIP(host) === 0 && host.split('.').includes('')) throw refuse(NO_ADDRESS);
  const local = isIP(host) === 0 && (LOCAL_NAME.test(host) || !host.includes('.'));
  if (local && !(rules.allowLoopback && /(^|\.)localhost$/.test(host))) throw refuse('must be on the public internet');
  const resolved = await withinTime(allowedAddresses(host, rules));
  if (resolved instanceof RefusedAddress) throw refuse('must be on the public internet');
  return url.href;
}

function readUrl(text: string, allowHttp: boolean): URL {
  if (text.length > MAX_LENGTH) throw refuse(URL_TOO_LONG);
  if (/[\s\p{C}\\]/u.test(text)) throw refuse('must not contain spaces, control characters, or backslashes');
  if (!URL.canParse(text)) throw refuse(NO_ADDRESS);
  const url = new URL(text);
  const schemes = allowHttp ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol))
    throw refuse(allowHttp ? 'must start with https:// or http://' : 'must start with https://');
  if (url.username !== '' || url.password !== '' || /^[^/]*:\/\/[^/?#]*@/.test(text))
    throw refuse('must not contain a user name or password');
  if (url.hash !== '' || text.includes('#')) throw refuse('must not contain a fragment');
  if (url.port !== '' && isBlockedPort(Number(url.port)))
    throw refuse('must not use a port that is reserved for another service');
  if (url.href.length > MAX_LENGTH) throw refuse(URL_TOO_LONG);
  return url;
}

/** Never throws, because `checkUrl` accepts a name that cannot be resolved yet. Null after a timeout. */
async function withinTime(job: Promise<unknown>): Promise<unknown> {
  const late = AbortSignal.timeout(RESOLVE_WITHIN);
  const timedOut = new Promise((resolve) => late.addEventListener('abort', () => resolve(null), { once: true }));
  return Promise.race([job.catch((error: unknown) => error), timedOut]);
}

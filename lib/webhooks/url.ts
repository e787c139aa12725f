import { isIP } from 'node:net';
import { invalidField } from '@/lib/contract/errors/app-error';
import { allowedAddresses, RefusedAddress, type Resolve } from './addresses';

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

// The Fetch standard blocks these ports, because programs on them could read an HTTP request as commands
// (https://fetch.spec.whatwg.org/#port-blocking). undici has the same list but does not export it. A test compares both
// lists.
const BAD_PORTS = [
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  ],
  ...[
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  ],
  ...[540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
];

// Databases, message brokers, and the management of containers and clusters.
const INTERNAL_PORTS = [
  ...[0, 88, 138, 162, 445, 464, 502, 593, 623, 631, 873, 1080, 1099, 1433, 1434, 1521, 1883, 2181, 2375, 2376, 2377],
  ...[2379, 2380, 2888, 3128, 3268, 3269, 3306, 3389, 3690, 3888, 4222, 4369, 4789, 4848, 5044, 5432, 5433, 5555, 5601],
  ...[5671, 5672, 5900, 5984, 5985, 5986, 6379, 6380, 6432, 6443, 7001, 7199, 7474, 7687, 7946, 8086, 8125, 8200, 8300],
  ...[8301, 8302, 8500, 8529, 8983, 9000, 9042, 9090, 9092, 9100, 9160, 9200, 9300, 9418, 10250, 10255, 10256, 11210],
  ...[11211, 11214, 11434, 15672, 16379, 25672, 26257, 26379, 27017, 27018, 27019, 28015, 28017, 50000, 61613, 61616],
];

const BLOCKED = new Set([...BAD_PORTS, ...INTERNAL_PORTS]);

/** Returns whether webhooks are not sent to a port. */
export function isBlockedPort(port: number): boolean {
  return BLOCKED.has(port);
}

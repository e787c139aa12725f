import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { checkServer } from '@/lib/activity/mail/smtp';
import { MAX_REFUSALS } from '@/lib/activity/request-log/refusals';
import { BASE_PATH } from '@/lib/contract/operations';
import type { SmtpServer } from '@/lib/platform/smtp-url';
import { allowedAddresses, type Resolve, systemResolve } from '@/lib/webhooks/addresses';
import { withClient } from '../environment/connection';
import { askAboutEvents, askAboutFunctions } from '../inngest';
import { type Finding, ok, warning, wrong } from './findings';

const TIMEOUT_MS = 5_000;
const LOGGED_WITHIN_MS = 3_000;
const POLL_MS = 100;
const MAX_ENDPOINTS = 3;

const AGAIN = 'Run the command again in a minute.';

const GET = (url: string) => fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });

/**
 * Checks that the public origin leads to a server with this database: the server refuses and logs a request without a
 * key, and the log is searched for it. Also warns if the health check is public, which a proxy should block.
 */
export async function checkOrigin(origin: string, databaseUrl: string | null): Promise<Finding[]> {
  const fix = 'Start the server, and correct PUBLIC_ORIGIN, DNS, or the proxy.';
  let id: string | null;
  try {
    const response = await GET(`${origin}${BASE_PATH}/catalog`);
    await response.body?.cancel();
    if (response.status === 429)
      return [warning(`${origin} responds, but refuses this address after too many failed authentications.`, AGAIN)];
    id = response.status === 401 ? response.headers.get('x-request-id') : null;
    if (id === null)
      return [wrong(`${origin} responds with ${response.status}, so it is probably not a booking server.`, fix)];
  } catch (error) {
    return [wrong(`${origin} does not respond (${reasonOf(error)}).`, fix)];
  }
  const logged = databaseUrl === null || (await isLogged(databaseUrl, id));
  const health = await GET(`${origin}/api/health`).then(
    (response) => response.status,
    () => 0,
  );
  if (health === 503)
    return [wrong(`The server at ${origin} is not healthy.`, 'Read its log, which names the reason.')];
  if (logged === 'full')
    return [warning(`${origin} responds, but its log of refused requests is full for this minute.`, AGAIN)];
  if (!logged)
    return [
      wrong(
        `A booking server responds at ${origin}, but the request log of this database does not contain the request that this check sent.`,
        'Correct PUBLIC_ORIGIN or DATABASE_URL: they belong to different deployments.',
      ),
    ];
  const text = `${origin} leads to a server${databaseUrl === null ? '' : ' that uses this database'}.`;
  if (health !== 200 || new URL(origin).hostname === 'localhost') return [ok(text)];
  return [
    ok(text),
    warning(
      `${origin}/api/health is public.`,
      'Block /api/health and /api/metrics in the proxy. See deploy/nginx and deploy/caddy.',
    ),
  ];
}

/** Returns 'full' if the log contains so many refusals of the last minute that the server logs no more of this address. */
async function isLogged(databaseUrl: string, id: string): Promise<boolean | 'full'> {
  return withClient(databaseUrl, async (client) => {
    for (const deadline = performance.now() + LOGGED_WITHIN_MS; performance.now() < deadline; await delay(POLL_MS)) {
      const { rowCount } = await client.query('SELECT FROM request_log WHERE request_id = $1', [id]);
      if (rowCount) return true;
    }
    const { rows } = await client.query<{ full: boolean }>(
      `SELECT count(*) >= $1 AS full FROM request_log WHERE tenant_id IS NULL AND at > now() - interval '90 seconds'`,
      [MAX_REFUSALS],
    );
    return rows[0]?.full ? 'full' : false;
  });
}

type Egress = { databaseUrl: string; given: string | undefined; allowLoopback: boolean; resolve?: Resolve };

/**
 * Checks that the host of `given`, or of a few active endpoints, resolves and accepts TCP and TLS connections. Sends no
 * HTTP request. Findings contain only the host, because the path may contain a secret.
 */
export async function checkEgress({ databaseUrl, given, ...rules }: Egress): Promise<Finding[]> {
  const urls = given ? [given] : await findEndpoints(databaseUrl);
  if (urls.length === 0)
    return [
      ok('No webhook endpoint is active. To check a connection: npm run doctor -- --webhook https://partner.example'),
    ];
  return Promise.all(urls.map((url) => checkEndpoint(url, { resolve: systemResolve, ...rules })));
}

async function findEndpoints(databaseUrl: string): Promise<string[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ url: string }>(
      `SELECT url FROM webhook_endpoints WHERE state = 'active' ORDER BY changed_at DESC LIMIT ${MAX_ENDPOINTS}`,
    ),
  );
  return rows.map(({ url }) => url);
}

async function checkEndpoint(
  url: string,
  { allowLoopback, resolve }: { allowLoopback: boolean; resolve: Resolve },
): Promise<Finding> {
  const fix =
    'Allow outgoing connections to the name servers in /etc/resolv.conf and to TCP port 443, without TLS inspection.';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return wrong('The value of --webhook is not an http or https URL.', 'Use an https URL.');
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  try {
    const [first] = await allowedAddresses(host, { allowLoopback, resolve });
    await open(first?.address ?? host, Number(port) || (protocol === 'https:' ? 443 : 80), protocol, host);
    return ok(`Connections to the webhook endpoint at ${host} can be opened.`);
  } catch (error) {
    return wrong(`No connection to the webhook endpoint at ${host} can be opened (${reasonOf(error)}).`, fix);
  }
}

function open(address: string, port: number, protocol: string, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket =
      protocol === 'https:'
        ? connectTls({ host: address, port, ...(isIP(host) === 0 ? { servername: host } : {}) }, done)
        : connectTcp({ host: address, port }, done);
    function done() {
      socket.destroy();
      resolve();
    }
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('timeout')));
    socket.on('error', reject);
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return 'code' in error ? String(error.code) : error.message;
}

/** Asks Inngest whether it has the functions of this deployment and accepts its events. */
export async function checkInngest(settings: Parameters<typeof askAboutEvents>[0]): Promise<Finding[]> {
  const found = await Promise.all([askAboutFunctions(settings), askAboutEvents(settings)]);
  const problems = [...new Set(found.filter((problem) => problem !== null))];
  const fix = 'Start the server and Inngest, and check INNGEST_BASE_URL, INNGEST_EVENT_KEY, and INNGEST_SIGNING_KEY.';
  if (problems.length > 0) return [wrong(`Inngest delivers no webhooks (${problems.join('; ')}).`, fix)];
  return [ok('Inngest has the functions and accepts events.')];
}

/** Connects to the mail server, and signs in. Sends no mail. */
export async function checkMail(settings: { server: SmtpServer; from: string } | null): Promise<Finding[]> {
  if (!settings)
    return [ok('SMTP_URL is not set, so members get no mail. What they should know is only in the Control Center.')];
  const problem = await checkServer(settings.server, settings.from);
  const fix = 'Check SMTP_URL, and allow outgoing connections to its host and port.';
  return [problem === null ? ok('The mail server accepts connections.') : wrong(`${problem}.`, fix)];
}

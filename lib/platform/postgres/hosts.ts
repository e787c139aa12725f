import pg from 'pg';

const MAX_HOSTS = 8;
/** Milliseconds for each of two steps: connecting to a host, and asking whether it accepts writes. */
const PROBE_TIMEOUT = 3_000;
/** Milliseconds. Without this, each of the first connections of a new pool would need a search of its own. */
const FOUND_FOR = 1_000;

/** The scheme and the user, the hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** The values of `target_session_attrs` in a URL with several hosts. */
const SERVERS = ['read-write', 'primary'];

/** Returns whether a string is a PostgreSQL URL. A URL with several hosts must be one that `urlsOf` can split. */
export function isDatabaseUrl(text: string): boolean {
  const urls = urlsOf(text);
  return urls?.every((url) => URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) ?? false;
}

/**
 * Splits a URL such as `postgresql://a:5432,b:5432/name` into one URL for each host, without `target_session_attrs`.
 * Returns null for more than `MAX_HOSTS` hosts, or another `target_session_attrs` than those in `SERVERS`.
 */
export function urlsOf(url: string): string[] | null {
  const [, scheme = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  if (!hosts.includes(',')) return [url];
  const [path = '', query = ''] = rest.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get('target_session_attrs');
  parameters.delete('target_session_attrs');
  const all = hosts.split(',');
  if (all.length > MAX_HOSTS || (wanted !== null && !SERVERS.includes(wanted))) return null;
  const suffix = parameters.size > 0 ? `?${parameters}` : '';
  return all.map((host) => `${scheme}${host}${path}${suffix}`);
}

/** Returns the URL of another database on the same hosts, with the same user and parameters. */
export function withDatabaseName(url: string, name: string): string {
  const [, scheme = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  const parameters = rest.search(/[?#]/);
  return `${scheme}${hosts}/${encodeURIComponent(name)}${parameters < 0 ? '' : rest.slice(parameters)}`;
}

/**
 * Returns the URL of the host that accepts writes. All are asked at once, so an unresponsive host causes no delay. A
 * URL with one host is returned without a check.
 * @throws Error that states the reason for each host if no host accepts writes
 */
async function writableUrl(url: string): Promise<string> {
  const urls = urlsOf(url) ?? [];
  const [only] = urls;
  if (urls.length === 1 && only !== undefined) return only;
  if (last?.url !== url) {
    const current = { url, found: find(urls) };
    last = current;
    const forget = () => {
      if (last === current) last = null;
    };
    current.found.then(() => setTimeout(forget, FOUND_FOR).unref(), forget);
  }
  return last.found;
}

let last: { url: string; found: Promise<string> } | null = null;

async function find(urls: string[]): Promise<string> {
  try {
    return await Promise.any(urls.map(requireWritable));
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors.map((one: Error) => one.message) : [];
    throw new Error(`no host accepts writes (${reasons.join('; ')})`);
  }
}

async function requireWritable(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_TIMEOUT,
    query_timeout: PROBE_TIMEOUT,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ state: string }>(`SELECT current_setting('transaction_read_only') AS state`);
    if (rows[0]?.state === 'off') return url;
    throw new Error('read-only');
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new Error(`${client.host}:${client.port}: ${message || code}`);
  } finally {
    // Not awaited, because an unresponsive host would delay the result.
    client.end().catch(() => {});
  }
}

/** Returns a client whose new connections use the current URL, and the host that accepts writes at that time. */
export function clientFor(currentUrl: () => string): typeof pg.Client {
  return class extends pg.Client {
    readonly #url: string;

    constructor(config?: string | pg.ClientConfig) {
      const url = currentUrl();
      // All hosts share the user, password, and database of the first. `connect` replaces the host and the port.
      const [first = url] = urlsOf(url) ?? [];
      super({ ...(typeof config === 'object' ? config : {}), connectionString: first });
      this.#url = url;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      const connected = this.#choose().then(() => super.connect());
      if (!callback) return connected;
      connected.then(() => callback(null), callback);
      return undefined;
    }

    async #choose(): Promise<void> {
      const { host, port } = new pg.Client({ connectionString: await writableUrl(this.#url) });
      Object.assign(this, { host, port });
    }
  };
}

type Connected = (error: Error | null) => void;

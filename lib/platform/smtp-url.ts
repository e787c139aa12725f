/** A mail server. `tls` states when the connection is encrypted: from its start, after STARTTLS, or never. */
export type SmtpServer = {
  host: string;
  port: number;
  tls: 'implicit' | 'starttls' | 'off';
  user: string | null;
  password: string | null;
  isLoopback: boolean;
};

const LOOPBACK = /^(localhost|127\.0\.0\.1|::1)$/;

/** Returns whether a text is a URL that `parseSmtpUrl` accepts. */
export function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, hash, searchParams } = new URL(text);
  const parameters = [...searchParams];
  const isTls = protocol === 'smtps:';
  return (
    (protocol === 'smtp:' || isTls) &&
    hostname !== '' &&
    (pathname === '' || pathname === '/') &&
    hash === '' &&
    parameters.length <= (isTls ? 0 : 1) &&
    parameters.every(([name, value]) => name === 'starttls' && (value === 'required' || value === 'off')) &&
    [new URL(text).username, new URL(text).password].every((part) => decoded(part) !== null)
  );
}

/**
 * Parses the setting SMTP_URL. With `smtp:`, STARTTLS is required, except on a loopback address and with `starttls=off`.
 * Without TLS, anyone on the network could read the one-use links in mails.
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLoopback = LOOPBACK.test(host);
  const starttls = url.searchParams.get('starttls') ?? (isLoopback ? 'off' : 'required');
  const tls = url.protocol === 'smtps:' ? 'implicit' : starttls === 'off' ? 'off' : 'starttls';
  const port = Number(url.port) || (tls === 'implicit' ? 465 : 587);
  return { host, port, tls, user: decoded(url.username) || null, password: decoded(url.password) || null, isLoopback };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

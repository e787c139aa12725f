import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { CELL_ID } from './cell-id';
import { isPublicKey } from './ed25519';
import { isDatabaseUrl } from './postgres/hosts';
import { SettingsError, withFiles } from './setting-files';
import { singleton } from './singleton';
import { isSmtpUrl, parseSmtpUrl } from './smtp-url';

/** The maximum size of a file with a setting. */
const text = boundedText(16 * 1024);

const integer = (fallback: number, min: number, max: number) =>
  boundedText(20, 'must be a number')
    .transform(Number)
    .pipe(
      z
        .number({ message: 'must be a number' })
        .int('must be a whole number')
        .min(min, `must be at least ${min}`)
        .max(max, `must be at most ${max}`),
    )
    .default(fallback);

const postgresUrl = text.refine((text) => isDatabaseUrl(text), 'must be a postgresql:// URL');

const redisUrl = text.check(z.url({ protocol: /^rediss?$/, message: 'must be a redis or rediss URL' }));
const httpUrl = text.check(z.url({ protocol: /^https?$/, message: 'must be an http or https URL' }));

const httpOrigin = text
  .check(z.url({ protocol: /^https?$/, message: 'must be an http or https origin', abort: true }))
  .refine((value) => new URL(value).origin === value.replace(/\/$/, ''), 'must be an origin without a path')
  .transform((value) => new URL(value).origin);

// The Inngest SDK decodes every key that is not hexadecimal as an empty key, so all such keys would be equivalent.
const signingKey = text.regex(/^(signkey-\w+-)?([0-9a-f]{2})+$/i, 'must be hexadecimal');

const settings = z.object({
  ENVIRONMENT: z.enum(['TEST', 'LIVE'], { message: 'must be TEST or LIVE' }).default('TEST'),
  /** May name up to eight hosts. If unset, the launcher sets it to the embedded server, whose data is in DATA_DIR. */
  DATABASE_URL: postgresUrl.optional(),
  /** Required if DATABASE_URL leads through a connection pooler. */
  DIRECT_DATABASE_URL: postgresUrl.optional(),
  /** The role that owns the database, for commands only. If set, the role in DATABASE_URL owns nothing. */
  MIGRATION_DATABASE_URL: postgresUrl.optional(),
  DATA_DIR: text.min(1).optional(),
  /** A separate key is derived from it for each purpose (`secrets.ts`). */
  SECRET_KEY: text.min(32, 'must be at least 32 characters').optional(),
  /** Accepted in addition to SECRET_KEY until the rotation is complete. */
  SECRET_KEY_PREVIOUS: text.min(32, 'must be at least 32 characters').optional(),
  HOST: text.min(1).optional(),
  PORT: integer(3000, 0, 65535),
  /** Default: http://localhost:PORT. */
  PUBLIC_ORIGIN: httpOrigin.optional(),
  /** If 1, browsers use https for all subdomains too, which must then have certificates. */
  HSTS_SUBDOMAINS: z.enum(['0', '1'], { message: 'must be 0 or 1' }).default('0'),
  OTHER_ENVIRONMENT_URL: httpUrl.optional(),
  /** Where partners reach support: shown in the documentation and the OpenAPI document. */
  SUPPORT_CONTACT: boundedText(200, 'must have at most 200 characters')
    .regex(
      /^(?:https?:\/\/[a-z0-9.:-]+(?:\/[\w./?=&%-]*)?|[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i,
      'must be an email address, or an http or https URL',
    )
    .optional(),
  /** Proxies in front of the server that append an address to X-Forwarded-For (contract B2). */
  TRUSTED_PROXIES: integer(0, 0, 16),
  /** Two hours cover a treatment or a lunch break at a front desk, but not the night. */
  SESSION_IDLE_MINUTES: integer(120, 5, 480),
  /** Servers that share the database. If not 1, rate limit counts are stored in PostgreSQL. `auto`: the number changes. */
  INSTANCES: z
    .union([z.literal('auto'), integer(1, 1, 1000)], { message: 'must be auto or a whole number from 1 to 1000' })
    .default(1),
  /** The URL of a Redis or Valkey server, which then counts the rate limits of several instances instead of PostgreSQL. */
  REDIS_URL: redisUrl.optional(),
  /** New keys contain this id (contract B10). */
  CELL: text.regex(CELL_ID, 'must be 4 lowercase letters or digits').optional(),
  /** Shared by the worker processes of this server. */
  DATABASE_POOL: integer(16, 2, 200),
  /** Default: 1 in TEST, `auto` in LIVE. */
  WORKERS: z
    .union([z.literal('auto'), boundedText(20).transform(Number).pipe(z.int().min(1).max(64))], {
      message: 'must be auto or a whole number from 1 to 64',
    })
    .optional(),
  /** In LIVE: the public keys of TEST whose readiness files owners can add (contract B21). */
  TEST_READINESS_KEY: boundedText(200, 'must have at most four keys')
    .refine((list) => list.split(',').every(isPublicKey), 'must be the readiness key of TEST, or several with commas')
    .optional(),
  /** If 1, webhook endpoints may use http and loopback addresses. LIVE then does not start. */
  WEBHOOKS_ALLOW_LOOPBACK: z.enum(['0', '1'], { message: 'must be 0 or 1' }).default('0'),
  /** A file with other time zone rules (`time-zones/index.ts`), for tests. LIVE then does not start. */
  TEST_ZONE_RULES: text.min(1).optional(),
  /** If any of these is set, Inngest starts the attempts of webhooks. Otherwise, the embedded worker does. */
  INNGEST_EVENT_KEY: text.min(1).optional(),
  INNGEST_SIGNING_KEY: signingKey.optional(),
  INNGEST_BASE_URL: httpUrl.optional(),
  /**
   * The URL of Inngest's dev server, or 1 for its default URL. 0 is the same as unset. LIVE does not start with it,
   * because the dev server does not sign its requests.
   */
  INNGEST_DEV: z.union([z.enum(['0', '1']), httpUrl], { message: 'must be 0, 1, or an http URL' }).optional(),
  /** Accepted in addition to the current key during a rotation. */
  INNGEST_SIGNING_KEY_FALLBACK: signingKey.optional(),
  /** The origin at which Inngest reaches this server. Default: the public origin. */
  INNGEST_SERVE_ORIGIN: httpOrigin.optional(),
  /** Seconds after the stop signal in which /api/health responds with 503, so that proxies stop sending requests. */
  DRAIN_DELAY: integer(0, 0, 300),
  /** If unset, /api/metrics does not exist, and nothing is counted. */
  METRICS_TOKEN: text
    .min(16, 'must be at least 16 characters')
    .regex(/^[!-~]+$/, 'must be printable ASCII characters without spaces')
    .optional(),
  /** Gets a copy of each request log entry. */
  REQUEST_LOG_FILE: text.startsWith('/', 'must be an absolute path').optional(),
  /** Gets a copy of each audit entry, sign-in, and refused call. */
  AUDIT_LOG_FILE: text.startsWith('/', 'must be an absolute path').optional(),
  /** Gets a span for each partner request. The SDK also reads other OTEL variables. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** If set, members sign in with this provider or a password. Needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET. */
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: text.min(1).optional(),
  OIDC_CLIENT_SECRET: text.min(1).optional(),
  /** On the sign-in button. */
  OIDC_NAME: boundedText(40, 'must have at most 40 characters').default('single sign-on'),
  /**
   * The mail server, such as smtp://user:password@mail.example:587 with STARTTLS, or smtps://… with TLS. Without it, no
   * mail is sent. SMTP_URL and SMTP_FROM must be set together.
   */
  SMTP_URL: text
    .refine(
      isSmtpUrl,
      'must be smtp:// or smtps:// with a host, and may have only the parameter starttls=required or off',
    )
    .optional(),
  /** The sender's address of mails. */
  SMTP_FROM: boundedText(254, 'must have at most 254 characters')
    .regex(/^[!-?A-~]+@[!-?A-~]+$/, 'must be an email address of ASCII characters')
    .optional(),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], { message: 'must be debug, info, warn, error, or silent' })
    .default('warn'),
});

export { SettingsError };

export const SETTING_NAMES = Object.keys(settings.shape);

type Settings = z.infer<typeof settings>;

/**
 * Validates settings. An empty value counts as unset. Reads the files of settings such as `SECRET_KEY_FILE`.
 * @throws SettingsError if a setting, a file, or a combination of settings is invalid.
 */
export function parseSettings(source: Record<string, string | undefined>): Settings {
  const nonEmpty = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(withFiles(nonEmpty));
  if (parsed.success) {
    checkCombinations(parsed.data);
    return parsed.data;
  }
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new SettingsError(`Invalid setting: ${problems.join('; ')}.`);
}

function checkCombinations(data: Settings): void {
  const testOnly = TEST_ONLY.filter((name) => data[name] !== undefined && data[name] !== '0');
  if (data.ENVIRONMENT === 'LIVE' && testOnly[0])
    throw new SettingsError(`Invalid setting: ${testOnly[0]} is for TEST only.`);
  const missing = (['INNGEST_EVENT_KEY', 'INNGEST_SIGNING_KEY'] as const).find((name) => !data[name]);
  if (usesInngest(data) && !isDev(data) && missing) throw new SettingsError(`Missing setting: ${missing}.`);
  if (typeof data.WORKERS === 'number' && data.DATABASE_POOL < 2 * data.WORKERS)
    throw new SettingsError('Invalid setting: DATABASE_POOL must be at least twice WORKERS.');
  const beside = [data.DIRECT_DATABASE_URL, data.MIGRATION_DATABASE_URL];
  if (beside.some(Boolean) && !data.DATABASE_URL) throw new SettingsError('Missing setting: DATABASE_URL.');
  if (data.SECRET_KEY_PREVIOUS && !data.SECRET_KEY) throw new SettingsError('Missing setting: SECRET_KEY.');
  if (data.SECRET_KEY_PREVIOUS && data.SECRET_KEY_PREVIOUS === data.SECRET_KEY)
    throw new SettingsError('Invalid setting: SECRET_KEY_PREVIOUS must differ from SECRET_KEY.');
  const absent = OIDC.filter((name) => !data[name]);
  if (absent[0] && absent.length < OIDC.length) throw new SettingsError(`Missing setting: ${absent[0]}.`);
  // Over plain http, a network attacker could impersonate the provider and sign in as any user.
  if (data.OIDC_ISSUER && !/^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$))/.test(data.OIDC_ISSUER))
    throw new SettingsError('Invalid setting: OIDC_ISSUER must be an https URL. Only localhost may use http.');
  const unpaired = SMTP.filter((name) => !data[name]);
  if (unpaired.length === 1) throw new SettingsError(`Missing setting: ${unpaired[0]}.`);
  const server = data.SMTP_URL ? parseSmtpUrl(data.SMTP_URL) : null;
  if (server?.tls === 'off' && server.user !== null && !server.isLoopback)
    throw new SettingsError('Invalid setting: SMTP_URL must not send a password without TLS.');
}

const SMTP = ['SMTP_URL', 'SMTP_FROM'] as const;

const OIDC = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

const TEST_ONLY = ['WEBHOOKS_ALLOW_LOOPBACK', 'INNGEST_DEV', 'TEST_ZONE_RULES'] as const;

function isDev({ INNGEST_DEV }: Settings): boolean {
  return INNGEST_DEV !== undefined && INNGEST_DEV !== '0';
}

/** Returns whether Inngest starts the attempts of webhooks with these settings. */
export function usesInngest(data: Settings): boolean {
  return isDev(data) || Boolean(data.INNGEST_EVENT_KEY || data.INNGEST_SIGNING_KEY || data.INNGEST_BASE_URL);
}

export type Env = Settings & {
  DATABASE_URL: string;
  SECRET_KEY: string;
  origin: string;
  keyPrefix: 'pbk_test_' | 'pbk_live_';
};

/** Returns this process's settings, which are read only once. @throws SettingsError if one is invalid or missing. */
export function env(): Env {
  return singleton('env', () => {
    const parsed = parseSettings(process.env);
    const { DATABASE_URL, SECRET_KEY } = parsed;
    if (!DATABASE_URL) throw new SettingsError('Missing setting: DATABASE_URL.');
    if (!SECRET_KEY) throw new SettingsError('Missing setting: SECRET_KEY.');
    return {
      ...parsed,
      DATABASE_URL,
      SECRET_KEY,
      origin: parsed.PUBLIC_ORIGIN ?? `http://localhost:${parsed.PORT}`,
      keyPrefix: parsed.ENVIRONMENT === 'LIVE' ? 'pbk_live_' : 'pbk_test_',
    };
  });
}

/** Returns which scheduler starts the attempts of webhooks (architecture 7). */
export function schedulerInUse(): 'embedded' | 'inngest' {
  return usesInngest(env()) ? 'inngest' : 'embedded';
}

/** Returns the settings of the Inngest client. Without `baseUrl`, it uses Inngest Cloud or the dev server's default. */
export function inngestSettings(settings: Settings & { origin?: string } = env()) {
  const { ENVIRONMENT, INNGEST_DEV, INNGEST_BASE_URL, INNGEST_SERVE_ORIGIN, origin = '' } = settings;
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK } = settings;
  const dev = isDev(settings);
  return {
    appId: `partner-booking-${ENVIRONMENT.toLowerCase()}`,
    isDev: dev,
    baseUrl: INNGEST_BASE_URL ?? (dev && INNGEST_DEV !== '1' ? INNGEST_DEV : undefined),
    eventKey: INNGEST_EVENT_KEY,
    signingKey: INNGEST_SIGNING_KEY,
    signingKeyFallback: INNGEST_SIGNING_KEY_FALLBACK,
    serveOrigin: INNGEST_SERVE_ORIGIN ?? origin,
  };
}

/** Returns the settings of the OpenID provider, or null. */
export function oidcSettings() {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = env();
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret, name } : null;
}

/** Returns the mail server and the sender's address, or null if no mail can be sent. */
export function smtpSettings({ SMTP_URL, SMTP_FROM }: Pick<Settings, 'SMTP_URL' | 'SMTP_FROM'> = env()) {
  return SMTP_URL && SMTP_FROM ? { server: parseSmtpUrl(SMTP_URL), from: SMTP_FROM } : null;
}

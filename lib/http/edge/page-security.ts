import { randomBytes } from 'node:crypto';
import { env } from '@/lib/platform/env';
import type { Exchange } from './exchange';

const FIXED = {
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Allows only scripts with the nonce and what they load, and this origin (architecture 8). */
function policyWith(nonce: string): string {
  // Hot reloading, which runs only in development, uses `eval`.
  const evaluated = process.env.NODE_ENV === 'production' ? '' : " 'unsafe-eval'";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluated}`,
    // Mantine sets its CSS variables in inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The documentation has no inline scripts or styles. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

function isDocs(path: string): boolean {
  return path === '/docs' || path.startsWith('/docs/');
}

/** Sets the security headers of a page, and passes the nonce to Next.js in request headers. */
export function securePage({ req, res }: Exchange, path: string): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = isDocs(path) ? DOCS_POLICY : policyWith(nonce);
  req.headers['content-security-policy'] = policy;
  req.headers['x-edge-nonce'] = nonce;
  res.setHeader('Content-Security-Policy', policy);
  for (const [name, value] of Object.entries(FIXED)) res.setHeader(name, value);
  const { origin, HSTS_SUBDOMAINS } = env();
  const subdomains = HSTS_SUBDOMAINS === '1' ? '; includeSubDomains' : '';
  if (origin.startsWith('https:')) res.setHeader('Strict-Transport-Security', `max-age=31536000${subdomains}`);
}

import { randomBytes } from 'node:crypto';
import { env } from '@/lib/platform/env';
import type { Exchange } from './exchange';

/** Headers of every page: no frame around it, no referrer from it, no guess at its type. */
const FIXED = {
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Returns the Content-Security-Policy of a page: our scripts by nonce, nothing from another host (architecture 8). */
function policyWith(nonce: string): string {
  // The development server evaluates what it reloads.
  const evaluated = process.env.NODE_ENV === 'production' ? '' : " 'unsafe-eval'";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluated}`,
    // Mantine writes its variables into style elements and attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The documentation needs no script but one file, and nothing that is written into a page. */
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

/**
 * Gives a page its security headers. Next reads the nonce from the request's policy header and puts it on its own
 * scripts; a client's header of that name is replaced.
 */
export function securePage({ req, res }: Exchange, path: string): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = isDocs(path) ? DOCS_POLICY : policyWith(nonce);
  req.headers['content-security-policy'] = policy;
  req.headers['x-edge-nonce'] = nonce;
  res.setHeader('Content-Security-Policy', policy);
  for (const [name, value] of Object.entries(FIXED)) res.setHeader(name, value);
  if (env().origin.startsWith('https:')) res.setHeader('Strict-Transport-Security', 'max-age=31536000');
}

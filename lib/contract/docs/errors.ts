import { EXAMPLE_IDS } from '../common';
import { API_ERRORS, type ApiErrorCode } from '../errors/api-errors';
import { reasonsOf } from '../errors/reasons';
import { content } from './content';
import type { Deployment } from './deployment';
import { type Html, html } from './html';
import { codeBlock, heading } from './markdown';

const CODES = Object.entries(API_ERRORS) as [ApiErrorCode, (typeof API_ERRORS)[ApiErrorCode]][];

/**
 * The `reason` in the example responses of some codes. For `invalid_request`, the reason is always null. For any other
 * code that is not listed here, it is the last one that `REASONS` lists for the code, or null if there is none.
 */
const USUAL: Partial<Record<ApiErrorCode, string | null>> = { booking_unavailable: 'slot_taken', rate_limited: null };

const QUOTA = ['X-RateLimit-Limit: 600', 'X-RateLimit-Remaining: 0', 'X-RateLimit-Reset: 1789376400'];

/** Only codes whose responses have a header that tells the client what to do. */
const HEAD: Partial<Record<ApiErrorCode, readonly string[]>> = {
  invalid_api_key: ['HTTP/1.1 401 Unauthorized', 'WWW-Authenticate: Bearer'],
  rate_limited: ['HTTP/1.1 429 Too Many Requests', 'Retry-After: 12', ...QUOTA],
  service_unavailable: ['HTTP/1.1 503 Service Unavailable', 'Retry-After: 2'],
};

function exampleOf(code: ApiErrorCode, { origin }: Deployment): string {
  const { message } = API_ERRORS[code];
  const fields = [{ path: 'customer.phone', message: 'must start with + and a country code, and have 7 to 15 digits' }];
  const invalid = code === 'invalid_request';
  const usual = USUAL[code];
  const error = {
    code,
    message: invalid ? 'One field is invalid.' : message,
    reason: invalid || usual === null ? null : (usual ?? reasonsOf(code).at(-1) ?? null),
    fields: invalid ? fields : [],
    doc_url: `${origin}/docs/errors/${code}`,
  };
  return JSON.stringify({ error, meta: { request_id: EXAMPLE_IDS.request, version: 'v1' } }, null, 2);
}

/** Returns the page of one code: its cause, what to do, and an example. */
export function errorPage(code: ApiErrorCode, deployment: Deployment): Html {
  const { status, message, advice } = API_ERRORS[code];
  return html`${heading({ id: code, text: code, depth: 1 })}
<p><strong class="status">${status}</strong> ${message}</p>
<p class="lead">${advice}</p>
${content(`partner/errors/${code}`, deployment)}
${heading({ id: 'example', text: 'Example', depth: 2 })}
${HEAD[code] && codeBlock([...HEAD[code], `X-Request-Id: ${EXAMPLE_IDS.request}`].join('\n'), 'http')}
${codeBlock(exampleOf(code, deployment), 'json')}`;
}

/** Returns the page with the table of all error codes. */
export function errorsPage(deployment: Deployment): Html {
  const rows = CODES.map(
    ([code, { status, message, advice }]) =>
      html`<tr><td>${status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${message}</td><td>${advice}</td></tr>`,
  );
  return html`${content('partner/errors/index', deployment)}
${codeBlock(exampleOf('invalid_request', deployment), 'json')}
${heading({ id: 'codes', text: 'Codes', depth: 2 })}
<div class="scroll" tabindex="0"><table><thead><tr><th>Status</th><th>Code</th><th>What happened</th><th>What to do</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

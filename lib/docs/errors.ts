import { EXAMPLE_IDS } from '../contract/common';
import { API_ERRORS, type ApiErrorCode } from '../contract/errors';
import { env } from '../env';
import { content } from './content';
import { type Html, html } from './html';
import { codeBlock, heading } from './markdown';

const CODES = Object.entries(API_ERRORS) as [ApiErrorCode, (typeof API_ERRORS)[ApiErrorCode]][];

function exampleOf(code: ApiErrorCode): string {
  const { message, reasons } = API_ERRORS[code];
  const fields = [{ path: 'customer.phone', message: 'must start with + and a country code' }];
  const invalid = code === 'invalid_request';
  const error = {
    code,
    message: invalid ? 'One field is invalid.' : message,
    reason: invalid ? null : (reasons.at(-1) ?? null),
    fields: invalid ? fields : [],
    doc_url: `${env().origin}/docs/errors/${code}`,
  };
  return JSON.stringify({ error, meta: { request_id: EXAMPLE_IDS.request, version: 'v1' } }, null, 2);
}

/** Returns the page of one code: what happened, what to do, and an example. */
export function errorPage(code: ApiErrorCode): Html {
  const { status, message, remedy } = API_ERRORS[code];
  return html`${heading({ id: code, text: code, depth: 1 })}
<p><strong class="status">${status}</strong> ${message}</p>
<p class="lead">${remedy}</p>
${content(`errors/${code}`)}
${heading({ id: 'example', text: 'Example', depth: 2 })}
${codeBlock(exampleOf(code), 'json')}`;
}

/** Returns the list of all codes. */
export function errorsPage(): Html {
  const rows = CODES.map(
    ([code, { status, message, remedy }]) =>
      html`<tr><td>${status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${message}</td><td>${remedy}</td></tr>`,
  );
  return html`${content('errors/index')}
${codeBlock(exampleOf('invalid_request'), 'json')}
${heading({ id: 'codes', text: 'Codes', depth: 2 })}
<div class="scroll" tabindex="0"><table><thead><tr><th>Status</th><th>Code</th><th>What happened</th><th>What to do</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

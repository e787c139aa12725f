import { BASE_PATH, type Operation } from '../operations';
import { isSent } from './curl';
import { type Html, html } from './html';
import { codeBlock, heading } from './markdown';
import type { Parameter } from './schema-rows';

function field(parameter: Parameter): Html {
  const { name, in: place, required, example } = parameter;
  const value = isSent(parameter) && name !== 'Idempotency-Key' ? String(example) : '';
  const mark = required ? html` <strong>required</strong>` : null;
  return html`<label><span><code>${name}</code>${mark}</span><input data-in="${place}" data-name="${name}" value="${value}" placeholder="${isSent(parameter) ? '' : String(example ?? '')}" autocomplete="off" spellcheck="false"></label>`;
}

/**
 * Returns the form from which the script try.js sends requests of an operation. The inputs have no `name`, so that a
 * browser never puts the API key into a URL.
 */
export function tryIt(operation: Operation, parameters: readonly Parameter[], body: unknown): Html {
  const text = body === undefined ? null : JSON.stringify(body, null, 2);
  const names = [...parameters.map(({ name }) => name), ...Object.keys(body ?? {})];
  const fill = names.includes('service_id') && html` <button type="button" data-fill>Fill in a free slot</button>`;
  return html`${heading({ id: 'try-it', text: 'Try it', depth: 2 })}
<noscript><p>The console needs JavaScript.</p></noscript>
<form class="try" data-method="${operation.method}" data-path="${BASE_PATH + operation.path}" autocomplete="off" hidden>
<p>Sends real requests to this TEST deployment. The key stays in the memory of this page: it is not stored, and reloading the page removes it.</p>
<label><span>API key</span><input class="secret" data-in="key" autocomplete="off" spellcheck="false" autocapitalize="off"></label>
${parameters.map(field)}
${text && html`<label><span>Body</span><textarea data-in="body" rows="${text.split('\n').length}" spellcheck="false">${text}</textarea></label>`}
<p class="actions"><button type="submit">Send request</button>${fill}</p>
<p class="outcome" role="status"></p>
<div class="answer" hidden>${codeBlock('', 'http')}${codeBlock('', 'json')}</div>
${codeBlock('', 'sh')}
</form>
<script src="/docs/try.js" type="module"></script>`;
}

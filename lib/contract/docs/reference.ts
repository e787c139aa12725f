import { DEPRECATIONS } from '../deprecations';
import { API_ERRORS, type ApiErrorCode } from '../errors/api-errors';
import { refusalsOf } from '../errors/refusals';
import { EXAMPLE_EVENTS, EXAMPLE_THIN_EVENTS } from '../event-examples';
import { openApiDocument } from '../openapi/document';
import { type Json, schemaRef } from '../openapi/schemas';
import { BASE_PATH, listCatalog, OPERATIONS, type Operation, type OperationId, successStatus } from '../operations';
import { callsOf } from './calls';
import { curlOf, isSent } from './curl';
import type { Deployment } from './deployment';
import { type Html, html } from './html';
import { type LiveExample, lacksBooking, liveDocument } from './live-example';
import { codeBlock, heading, renderInline, slugOf, tabGroup } from './markdown';
import { fieldTable, type Parameter, parameterTable } from './schema-rows';

type Media = { content: { 'application/json': { schema: { properties: { data: Json } } & Json; example: unknown } } };
type Described = {
  parameters: (Parameter | { $ref: string })[];
  requestBody?: Media;
  responses: Record<string, Media>;
};

const documents = new Map<string, ReturnType<typeof openApiDocument>>();

const liveDocuments = new WeakMap<LiveExample, ReturnType<typeof openApiDocument>>();

/** Returns the OpenAPI document of a deployment, with the examples of its sandbox, cached for all pages. */
export function openApi({ origin, environment, live, support }: Deployment) {
  const key = `${environment} ${origin} ${support}`;
  const document = documents.get(key) ?? openApiDocument(origin, environment, DEPRECATIONS, support);
  documents.set(key, document);
  if (!live) return document;
  const made = liveDocuments.get(live) ?? liveDocument(document, live);
  liveDocuments.set(live, made);
  return made;
}

function parametersOf(operation: Operation, deployment: Deployment): Parameter[] {
  const { paths, components } = openApi(deployment);
  const item = paths[operation.path] as { parameters: Described['parameters'] } & Record<string, Described>;
  const shared = components.parameters as Record<string, Parameter>;
  const all = [...item.parameters, ...(item[operation.method.toLowerCase()]?.parameters ?? [])];
  return all.flatMap((one) => ('$ref' in one ? (shared[one.$ref.split('/').at(-1) ?? ''] ?? []) : one));
}

/** For some codes of refusals, a reason is optional. Explains what such a code means if `reason` is null. */
const WITHOUT_REASON: Partial<Record<ApiErrorCode, string>> = {
  invalid_api_key: 'the key is not accepted',
  invalid_request: 'a missing or malformed value',
  rate_limited: "the application's quota or the limit of the business is exceeded",
};

function reasonList(code: ApiErrorCode, reasons: readonly string[], { id }: Operation): Html[] {
  const meaning = reasons.length > 0 && WITHOUT_REASON[code];
  const waiting = code === 'rate_limited' && id === 'sendTestEvent' ? ', or ten test events are already waiting' : '';
  const none = meaning ? [html`<code>null</code> (${meaning + waiting})`] : [];
  return [...none, ...reasons.map((reason) => html`<code>${reason}</code>`)].map(
    (one, i) => html`${i > 0 && ', '}${one}`,
  );
}

function refusalTable(operation: Operation): Html {
  const codes = Object.entries(refusalsOf(operation)) as [ApiErrorCode, readonly string[]][];
  const sorted = codes.sort(([a], [b]) => API_ERRORS[a].status - API_ERRORS[b].status);
  const rows = sorted.map(([code, reasons]) => {
    const list = reasonList(code, reasons, operation);
    return html`<tr><td>${API_ERRORS[code].status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${list}</td></tr>`;
  });
  const method = html`<tr><td>405</td><td><a href="/docs/errors/invalid_request"><code>invalid_request</code></a></td><td>Wrong method for this path; <code>Allow</code> lists the supported methods</td></tr>`;
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th>Status</th><th>Code</th><th>Reasons</th></tr></thead><tbody>${rows}${method}</tbody></table></div>`;
}

const h2 = (text: string) => heading({ id: slugOf(text), text, depth: 2 });

const PAGING = ['paging', 'Pagination'] as const;
const TESTING = ['testing', 'Testing'] as const;
const LOST = ['lost-writes', 'A write whose response was lost'] as const;
const VERSIONS = ['versions', 'Versions'] as const;
const NO_SLOTS = ['no-slots', 'Why is there no slot?'] as const;
const PRICES = ['prices', 'Prices'] as const;
const FEWER = ['fewer-reads', 'Fewer reads'] as const;
const TIMES = ['time-zones', 'Time zones and daylight saving'] as const;

const RECONCILE = ['reconciliation', 'Reconcile your database'] as const;

/** The guides about each operation: page name and title. */
const GUIDES: Record<OperationId, readonly (readonly [string, string])[]> = {
  listCatalog: [PAGING, PRICES],
  listSpecialists: [PAGING],
  listAvailability: [PAGING, TIMES],
  listAvailabilityDays: [FEWER, TIMES],
  explainAvailability: [NO_SLOTS, PAGING],
  createBooking: [['idempotency', 'Idempotency and retries'], TESTING, LOST],
  listBookings: [LOST, PAGING, RECONCILE],
  readBooking: [VERSIONS, PRICES],
  cancelBooking: [VERSIONS, LOST],
  rescheduleBooking: [VERSIONS, TIMES, LOST],
  sendTestEvent: [['webhooks', 'Webhooks'], TESTING],
  digestBookings: [RECONCILE],
  listEvents: [RECONCILE, ['webhooks', 'Webhooks']],
  readMe: [['environments', 'TEST and LIVE']],
  putBusyTime: [],
  deleteBusyTime: [],
  setTestClock: [],
  runOwnerAction: [],
  readReadiness: [],
  reportConformance: [],
  checkSignature: [],
};

function guideList({ id }: Operation): Html {
  const links = GUIDES[id].map(([name, title], i) => html`${i > 0 && ', '}<a href="/docs/guides/${name}">${title}</a>`);
  return html`<p>Guides: ${links}</p>`;
}

function bodyTable(schema: Json, schemas: Record<string, Json>): Html {
  const { properties = {} } = (schemas[String(schema.$ref).split('/').at(-1) ?? ''] ?? schema) as { properties?: Json };
  if (Object.keys(properties).length > 0) return fieldTable(schema, schemas, true);
  return html`<p>An empty object, <code>{}</code>. The body is required: a request without a body gets a 400.</p>`;
}

const scopeText = ({ scope }: Operation) => (scope === null ? 'Any key' : html`Scope <code>${scope}</code>`);

function calls(operation: Operation, parameters: readonly Parameter[], body: unknown, deployment: Deployment): Html {
  const others = callsOf(operation, parameters, body).map(({ language, code }) => ({ info: language, code }));
  return tabGroup([{ info: 'sh', code: curlOf(operation, parameters, body, deployment) }, ...others], 'call');
}

const NO_BOOKING = html`<p>The sandbox has no booking for this example yet: run the example of <a href="/docs/reference/createBooking">Create a booking</a>, then load this page again.</p>`;

function tryItField(parameter: Parameter): Html {
  const { name, in: place, required, example } = parameter;
  const value = isSent(parameter) && name !== 'Idempotency-Key' ? String(example) : '';
  const mark = required ? html` <strong>required</strong>` : null;
  return html`<label><span><code>${name}</code>${mark}</span><input data-in="${place}" data-name="${name}" value="${value}" placeholder="${isSent(parameter) ? '' : String(example ?? '')}" autocomplete="off" spellcheck="false"></label>`;
}

/**
 * Returns the form from which the script try.js sends requests of an operation. The inputs have no `name`, so that a
 * browser never puts the API key into a URL.
 */
function tryIt(operation: Operation, parameters: readonly Parameter[], body: unknown): Html {
  const text = body === undefined ? null : JSON.stringify(body, null, 2);
  const names = [...parameters.map(({ name }) => name), ...Object.keys(body ?? {})];
  const fill = names.includes('service_id') && html` <button type="button" data-fill>Fill in a free slot</button>`;
  return html`${heading({ id: 'try-it', text: 'Try it', depth: 2 })}
<noscript><p>The console needs JavaScript.</p></noscript>
<form class="try" data-method="${operation.method}" data-path="${BASE_PATH + operation.path}" autocomplete="off" hidden>
<p>Sends real requests to this TEST deployment. The key stays in the memory of this page: it is not stored, and reloading the page removes it.</p>
<label><span>API key</span><input class="secret" data-in="key" autocomplete="off" spellcheck="false" autocapitalize="off"></label>
${parameters.map(tryItField)}
${text && html`<label><span>Body</span><textarea data-in="body" rows="${text.split('\n').length}" spellcheck="false">${text}</textarea></label>`}
<p class="actions"><button type="submit">Send request</button>${fill}</p>
<p class="outcome" role="status"></p>
<div class="answer" hidden>${codeBlock('', 'http')}${codeBlock('', 'json')}</div>
${codeBlock('', 'sh')}
</form>
<script src="/docs/try.js" type="module"></script>`;
}

/** Returns the page of one operation, built from the OpenAPI document. */
export function operationPage(operation: Operation, deployment: Deployment): Html {
  const { paths, components } = openApi(deployment);
  const described = (paths[operation.path] as Record<string, Described>)[operation.method.toLowerCase()] as Described;
  const { schemas } = components;
  const parameters = parametersOf(operation, deployment);
  const body = described.requestBody?.content['application/json'];
  const status = String(successStatus(operation));
  const response = described.responses[status]?.content['application/json'];
  const [first] = Object.values((response?.schema.properties.data.properties as Record<string, Json>) ?? {});
  const part = first?.type === 'array' ? (first.items as Json) : first;
  return html`${heading({ id: operation.id, text: operation.summary, depth: 1 })}
<p class="route"><strong>${operation.method}</strong> <code>${BASE_PATH + operation.path}</code></p>
<p class="lead">${renderInline(operation.description)}</p>
<p>${scopeText(operation)}${operation.body ? html` · <a href="/docs/guides/idempotency">Idempotency-Key</a> required` : null} · operation <code>${operation.id}</code></p>
${guideList(operation)}
${calls(operation, parameters, body?.example, deployment)}
${lacksBooking(operation.id, deployment.live) && NO_BOOKING}
${parameters.length > 0 && html`${h2('Parameters')}${parameterTable(parameters, schemas)}`}
${body ? html`${h2('Body')}${bodyTable(body.schema, schemas)}` : null}
${deployment.environment === 'TEST' && tryIt(operation, parameters, body?.example)}
${h2(`Response, ${status}`)}${codeBlock(JSON.stringify(response?.example, null, 2), 'json')}
${h2('Fields')}${fieldTable(part ?? {}, schemas, false)}
${h2('Refusals')}${refusalTable(operation)}`;
}

/** Returns the page that lists all operations. */
export function referencePage(deployment: Deployment): Html {
  const rows = OPERATIONS.map(
    ({ id, method, path, summary, scope }) =>
      html`<tr><td><a href="/docs/reference/${id}">${summary}</a></td><td><code>${method} ${path}</code></td><td>${scope === null ? 'any key' : html`<code>${scope}</code>`}</td></tr>`,
  );
  return html`${heading({ id: 'reference', text: 'Reference', depth: 1 })}
<p class="lead">Base URL <code>${deployment.origin + BASE_PATH}</code>. Machine-readable: <a href="/docs/openapi.json">openapi.json</a> (OpenAPI 3.1), <a href="/docs/postman.json">postman.json</a>. Complete rules: <a href="/docs/contract">contract</a>.</p>
${codeBlock(curlOf(listCatalog, [], undefined, deployment), 'sh')}
<div class="scroll" tabindex="0"><table><thead><tr><th>Operation</th><th>Route</th><th>Scope</th></tr></thead><tbody>${rows}</tbody></table></div>
${h2('Every response')}
<p>The body of a successful response is <code>{"data": …, "meta": …}</code>. The body of a refusal is <code>{"error": …, "meta": …}</code> (<a href="/docs/errors">errors</a>). A response never omits an optional field: an absent value is <code>null</code>.</p>
${headerTable(deployment)}
${h2('Clients')}
<p><a href="/docs/guides/clients">Ready-made clients</a> are available for TypeScript, Python, PHP, Go, and Java. You can also generate a client:</p>
${codeBlock(`npx openapi-typescript ${deployment.origin}/docs/openapi.json -o partner-api.d.ts`, 'console')}`;
}

function headerTable(deployment: Deployment): Html {
  const headers = Object.entries(
    openApi(deployment).components.headers as Record<string, { description: string; example: unknown }>,
  );
  const rows = headers.map(
    ([name, { description, example }]) =>
      html`<tr><td><code>${name}</code></td><td>${description}</td><td><code>${String(example)}</code></td></tr>`,
  );
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th>Header</th><th>Meaning</th><th>Example</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Returns the page about webhook events. */
export function eventsPage(deployment: Deployment): Html {
  const { components } = openApi(deployment);
  const shown = Object.entries({ ...EXAMPLE_EVENTS, ...EXAMPLE_THIN_EVENTS });
  const examples = shown.map(
    ([type, example]) =>
      html`${heading({ id: slugOf(type), text: type, depth: 3 })}${codeBlock(JSON.stringify(example, null, 2), 'json')}`,
  );
  return html`${heading({ id: 'events', text: 'Events', depth: 1 })}
<p class="lead">The payload of a <a href="/docs/guides/webhooks">webhook</a> never contains customer data.</p>
<p>${shown.map(([type], i) => html`${i > 0 && ', '}<code>${type}</code>`)}; <code>webhook.test</code> has empty <code>data</code>.</p>
${h2('Examples')}${examples}
${h2('Fields')}${fieldTable(schemaRef('BookingEvent'), components.schemas, false)}
${h2('Fields of availability.changed')}<p><a href="/docs/guides/fewer-reads#events-instead-of-polling">When it is sent</a>; <code>catalog.changed</code> has only the <code>token</code>.</p>
${fieldTable(schemaRef('AvailabilityChangedEvent'), components.schemas, false)}`;
}

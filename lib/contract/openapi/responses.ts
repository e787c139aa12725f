import { EXAMPLE_IDS } from '../common';
import { API_ERRORS, type ApiErrorCode } from '../errors/api-errors';
import { notFound } from '../errors/app-error';
import { type ErrorReason, messageOf, REASONS } from '../errors/reasons';
import { type Refusals, refusalsOf } from '../errors/refusals';
import { EXAMPLES } from '../examples';
import { listCatalog, type Operation, type SuccessStatus, successStatus } from '../operations';
import { WORD } from '../text';
import { type OwnHeader, responseHeaders } from './headers';
import { hasToken } from './parameters';
import { dataSchema, type Json, schemaRef } from './schemas';

const exampleMeta = { request_id: EXAMPLE_IDS.request, version: 'v1' };

const SHARED: Record<number, string> = { 401: 'Unauthorized', 429: 'RateLimited', 503: 'Unavailable' };
/** The name of the response to an unsupported method on a known path (contract B2). */
const METHOD = 'MethodNotAllowed';
/** The name of the response without a body (contract B17). */
const UNCHANGED = 'NotModified';

const OWN_HEADERS: Record<number, OwnHeader[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function errorExample(
  origin: string,
  code: ApiErrorCode,
  reason: string | null,
  fields: unknown[],
  message?: string,
): Json {
  const doc_url = `${origin}/docs/errors/${code}`;
  return { error: { code, message: message ?? API_ERRORS[code].message, reason, fields, doc_url }, meta: exampleMeta };
}

const MALFORMED = { path: '*', message: 'is not valid' };

function fieldOf(reason: ErrorReason | null) {
  const entry = reason && REASONS[reason];
  return entry && 'field' in entry ? entry.field : MALFORMED;
}

const UNKNOWN = 'service_id';

function exampleDetails(code: ApiErrorCode, reason: ErrorReason | null) {
  if (code === 'invalid_request') return { fields: [fieldOf(reason)], message: 'One field is invalid.' };
  return { fields: [], message: (reason && messageOf(reason)) || undefined };
}

function examplesOf(origin: string, codes: readonly ApiErrorCode[], refusals: Refusals): Json {
  const all = codes.flatMap((code) =>
    [...(API_ERRORS[code].reasonRequired ? [] : [null]), ...(refusals[code] ?? [])].map((reason) => {
      const { fields, message } =
        code === 'not_found' && reason === null ? notFound(UNKNOWN) : exampleDetails(code, reason);
      const value = errorExample(origin, code, reason, fields, message);
      return [reason ?? code, { summary: reason ? `${code}, ${reason}` : code, value }] as const;
    }),
  );
  return Object.fromEntries(all);
}

/** Returns the schema of `reason`. The schema is not an enum, because v1 may add reasons, which clients must accept. */
function reasonSchema(reasons: readonly string[]): Json {
  const known = reasons.map((reason) => `\`${reason}\``).join(', ');
  return {
    type: ['string', 'null'],
    ...WORD,
    description: `Currently ${known}, or null. More reasons may be added: treat an unknown reason like null.`,
    examples: [...reasons, null],
    'x-extensible-enum': reasons,
  };
}

function errorResponse(origin: string, status: number, refusals: Refusals): Json {
  const codes = (Object.keys(refusals) as ApiErrorCode[]).filter((code) => API_ERRORS[code].status === status);
  const reasons = codes.flatMap((code) => refusals[code] ?? []);
  const reason = reasons.length > 0 && { reason: reasonSchema(reasons) };
  const narrowed = { type: 'object', properties: { code: { type: 'string', enum: codes }, ...reason } };
  const error = { allOf: [schemaRef('Error'), narrowed] };
  const schema = { type: 'object', required: ['error', 'meta'], properties: { error, meta: schemaRef('Meta') } };
  return {
    description: codes.map((code) => `\`${code}\`: ${API_ERRORS[code].advice}`).join('\n\n'),
    headers: responseHeaders(OWN_HEADERS[status]),
    content: {
      'application/json': {
        schema,
        examples: examplesOf(origin, codes, refusals),
      },
    },
  };
}

function methodNotAllowed(origin: string): Json {
  const message = 'The method is not allowed on this path. The Allow header lists those that are.';
  const { content, ...rest } = errorResponse(origin, 400, { invalid_request: [] });
  const { schema } = (content as Record<string, Json>)['application/json'] ?? {};
  const example = errorExample(origin, 'invalid_request', null, [], message);
  return {
    ...rest,
    description: 'The response to any other method on this path, including `HEAD` and `OPTIONS`.',
    headers: responseHeaders(OWN_HEADERS[405]),
    content: { 'application/json': { schema, example } },
  };
}

/** Returns the responses for the `components` section of the document. */
export function componentResponses(origin: string): Json {
  // The shared responses are the same for every operation, so `listCatalog` is an arbitrary choice.
  const common = refusalsOf(listCatalog);
  const shared = Object.entries(SHARED).map(([status, name]) => [name, errorResponse(origin, Number(status), common)]);
  const description = 'The response is the one that `If-None-Match` names. There is no body.';
  const unchanged = { description, headers: responseHeaders(['ETag']) };
  return { ...Object.fromEntries(shared), [UNCHANGED]: unchanged, [METHOD]: methodNotAllowed(origin) };
}

const SUCCESSES: Record<SuccessStatus, string> = {
  200: 'Success.',
  201: 'The booking, created by this request or by the request that it replays.',
  202: 'The event that will be sent to your endpoint.',
};

function success(operation: Operation): [string, Json] {
  const status = successStatus(operation);
  const own: OwnHeader[] = operation.body ? ['Idempotent-Replayed', 'X-Original-Request-Id'] : [];
  if ('locale' in operation.query.shape) own.push('Content-Language');
  if (status === 201) own.push('Location');
  if (hasToken(operation)) own.push('ETag');
  const data = dataSchema(operation.data);
  const schema = { type: 'object', required: ['data', 'meta'], properties: { data, meta: schemaRef('Meta') } };
  const example = EXAMPLES[operation.id].response;
  return [
    String(status),
    {
      description: SUCCESSES[status],
      headers: responseHeaders(own),
      content: { 'application/json': { schema, example } },
    },
  ];
}

/** Returns the responses of an operation by status, each with its codes and reasons (contract B3). */
export function responsesOf(operation: Operation, origin: string): Json {
  const refusals = refusalsOf(operation);
  const statuses = new Set((Object.keys(refusals) as ApiErrorCode[]).map((code) => API_ERRORS[code].status));
  const refused = [...statuses].map((status) => {
    const name = SHARED[status];
    return [status, name ? { $ref: `#/components/responses/${name}` } : errorResponse(origin, status, refusals)];
  });
  const other = [405, { $ref: `#/components/responses/${METHOD}` }];
  const unchanged = hasToken(operation) ? [[304, { $ref: `#/components/responses/${UNCHANGED}` }]] : [];
  return Object.fromEntries([success(operation), ...unchanged, ...refused, other]);
}

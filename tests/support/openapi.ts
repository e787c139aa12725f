import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { openApiDocument } from '@/lib/contract/openapi/document';
import { BASE_PATH } from '@/lib/contract/operations';
import { matchPath } from '@/lib/http/partner-api/admission';

type Header = { required: boolean; schema: Record<string, unknown> };
type Media = { 'application/json': { schema: Record<string, unknown> } };
type Response = { headers: Record<string, { $ref: string }>; content?: Media };

/** A server under test serves it with a different server URL. */
export const DOCUMENT = openApiDocument('https://booking.musterlinde.test');

const DOCUMENT_ID = 'https://booking.musterlinde.test/docs/openapi.json';
const validators = new Map<string, ValidateFunction>();
let ajv: Ajv2020 | undefined;

/** By JSON pointer. */
export function validator(pointer: string): ValidateFunction {
  const cached = validators.get(pointer);
  if (cached) return cached;
  if (!ajv) {
    ajv = new Ajv2020({ strict: false, coerceTypes: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema(DOCUMENT, DOCUMENT_ID);
  }
  const made = ajv.compile({ $ref: `${DOCUMENT_ID}#${pointer}` });
  validators.set(pointer, made);
  return made;
}

const escaped = (part: string) =>
  part.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');

function resolve<T>(value: T | { $ref: string }): { value: T; pointer: string | null } {
  if (!value || typeof value !== 'object' || !('$ref' in value)) return { value: value as T, pointer: null };
  const parts = value.$ref.slice(2).split('/');
  const found = parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], DOCUMENT);
  return { value: found as T, pointer: `/${parts.join('/')}` };
}

function describedAt(method: string, path: string, status: number): { response: Response; pointer: string } | null {
  const match = matchPath(path.split('?')[0] ?? '');
  const template = match?.pattern.slice(BASE_PATH.length) ?? '';
  const item = DOCUMENT.paths[template] as Record<string, { responses: Record<string, Response> }> | undefined;
  const lowerMethod = method.toLowerCase();
  // All operations of a path document the 405, which has none of its own.
  const name = status === 405 ? Object.keys(item ?? {}).find((key) => key !== 'parameters') : lowerMethod;
  const operation = item?.[name ?? ''];
  if (!operation) return null;
  const found = operation.responses[String(status)];
  expect(found, `${status} of ${method} ${template} is documented`).toBeDefined();
  const { value, pointer } = resolve(found as Response | { $ref: string });
  return { response: value, pointer: pointer ?? `/paths/${escaped(template)}/${name}/responses/${status}` };
}

function checkHeaders(response: Response, headers: Record<string, string | undefined>): void {
  for (const [name, ref] of Object.entries(response.headers)) {
    const { value, pointer } = resolve<Header>(ref);
    const sent = headers[name.toLowerCase()];
    if (sent === undefined) {
      expect(value.required, `header ${name} is sent`).toBe(false);
      continue;
    }
    const check = validator(`${pointer}/schema`);
    expect(check(value.schema.type === 'integer' ? Number(sent) : sent), `header ${name} as documented`).toBe(true);
  }
}

/** The status is documented, and headers and body match. Without an operation, it must be an error. */
export function expectDocumented(
  request: { method: string; path: string },
  status: number,
  headers: Record<string, string | undefined>,
  body: unknown,
): void {
  const described = describedAt(request.method, request.path, status);
  if (described) checkHeaders(described.response, headers);
  // A 304 has no body.
  if (described && !described.response.content) {
    expect(body).toBeNull();
    return;
  }
  if (!described) expect(status, 'an undocumented operation does not succeed').toBeGreaterThanOrEqual(400);
  const pointer = described ? described.pointer : '/components/responses/Unavailable';
  const schema = described ? `${pointer}/content/application~1json/schema` : '/components/schemas/Error';
  const check = validator(schema);
  const value = described ? body : (body as { error: unknown }).error;
  expect(check(value), `${request.method} ${status}: ${JSON.stringify(check.errors)}`).toBe(true);
}

import { readFileSync } from 'node:fs';
import { API_ERRORS } from '@/lib/contract/errors/api-errors';
import { REASONS } from '@/lib/contract/errors/reasons';
import { openApiDocument } from '@/lib/contract/openapi/document';
import { type Json, schemaRef } from '@/lib/contract/openapi/schemas';
import { OPERATIONS, type Operation } from '@/lib/contract/operations';
import { comment, declaration, typeName, typeOf } from './types';

/** Served at `/docs/client.ts`. */
export const CLIENT_FILE = new URL('../../lib/contract/client.ts', import.meta.url);

const HEADER = `// Client of the Partner Booking API v1. One file without dependencies, for Node.js, Deno, and Bun.
// The guide /docs/guides/clients lists the tested versions.
// Generated from the contract by npx tsx tests/contract/generate-types.ts. Do not edit.
//
//   const client = partnerClient({ baseUrl, apiKey });
//   const { services } = await client.listCatalog();
//
// Every method retries after a temporary failure. A retried write keeps its idempotency key. After any other failure,
// the method throws a PartnerError.
`;

type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Json };
type Media = { content: { 'application/json': { schema: Json } } };
type Described = {
  summary: string;
  description: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: Media;
  responses: Record<string, Media>;
};

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const literals = (words: readonly string[]) => words.map((word) => `\n  | '${word}'`).join('');

/** A parameter with `$ref` is never a query parameter, because all shared parameters are headers. */
function described({ path, method }: Operation, document: ReturnType<typeof openApiDocument>) {
  const operation = (document.paths[path] as Record<string, Described>)[method.toLowerCase()] as Described;
  const query = operation.parameters.filter((one): one is Parameter => !('$ref' in one) && one.in === 'query');
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const data = (success?.content['application/json'].schema.properties as Record<string, Json> | undefined)?.data ?? {};
  const body = operation.requestBody?.content['application/json'].schema;
  return { ...operation, query, data, body: body ? typeOf(body) : null };
}

type Part = ReturnType<typeof described> & { operation: Operation };

/** Such as `ListCatalogQuery`. */
function queryType({ operation, query }: Part): string {
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [name, { ...schema, description }]),
  );
  const required = query.filter((one) => one.required).map(({ name }) => name);
  const description = `The query parameters of \`${operation.id}\`.`;
  return declaration(`${capital(operation.id)}Query`, { type: 'object', properties, required }, description);
}

function isList({ data }: Part): boolean {
  return 'next_cursor' in ((data.properties ?? {}) as object);
}

function method(part: Part): string {
  const { operation, query, body } = part;
  const { id, path, scope } = operation;
  const inPath = /\{(\w+)\}/.test(path);
  const optional = query.every((one) => !one.required);
  const parameters = [
    ...(inPath ? ['reference: string'] : []),
    ...(query.length > 0 ? [`query: ${capital(id)}Query${optional ? ' = {}' : ''}`] : []),
    ...(body ? [`body: ${body}`, 'idempotencyKey: string'] : []),
  ];
  const sent = [...(query.length > 0 ? ['query'] : []), ...(body ? ['body', 'idempotencyKey'] : [])];
  const target = inPath ? `\`${path.replace(/\{\w+\}/, () => `\${encodeURIComponent(reference)}`)}\`` : `'${path}'`;
  const data = isList(part) ? `${capital(id)}Data` : typeOf(part.data, '    ');
  const call = [`'${operation.method}'`, target, ...(sent.length > 0 ? [`{ ${sent.join(', ')} }`] : [])];
  return `${comment(`${part.summary}. ${part.description} Scope \`${scope}\`.`, '    ')}    ${id}: (${parameters.join(', ')}) => send<${data}>(${call.join(', ')}),\n`;
}

/** The generated file already declares the imported types. */
function runtime(): string {
  const text = readFileSync(new URL('./runtime.ts', import.meta.url), 'utf8');
  return text.replaceAll(/^(?:import .*|\/\/ (?:end)?region \w+)\n/gm, '').trim();
}

const EVENT_SCHEMAS = ['BookingEvent', 'AvailabilityChangedEvent', 'CatalogChangedEvent', 'TestEvent'];

/** Returns the client's source: the types and methods for the contract's operations, and the runtime. */
export function clientSource(): string {
  // Its operations are those of TEST and LIVE.
  const document = openApiDocument('https://example.com', 'LIVE');
  const parts = OPERATIONS.map((operation) => ({ operation, ...described(operation, document) }));
  const schemas = Object.entries(document.components.schemas).filter(([name]) => name !== 'Meta');
  return [
    HEADER,
    `/** The error codes. */\nexport type ErrorCode =${literals(Object.keys(API_ERRORS))};\n`,
    `/** The known reasons. More reasons may be added: treat an unknown reason like null. */\nexport type ErrorReason =${literals(Object.keys(REASONS))}\n  | (string & {});\n`,
    ...schemas.map(([name, schema]) => declaration(typeName(name), schema)),
    `/** An event that a webhook delivers. New types may be added: ignore events of unknown types. */\nexport type WebhookEvent = ${typeOf({ anyOf: EVENT_SCHEMAS.map(schemaRef) })};\n`,
    ...parts.filter(({ query }) => query.length > 0).map(queryType),
    ...parts
      .filter(isList)
      .map((part) =>
        declaration(`${capital(part.operation.id)}Data`, part.data, `One page of \`${part.operation.id}\`.`),
      ),
    `/** Returns a client. Its methods do not use \`this\`, so you can pass them as functions. */\nexport function partnerClient(options: ClientOptions) {\n  const send = transport(options);\n  return {\n${parts.map(method).join('')}  };\n}\n`,
    `${runtime()}\n`,
  ].join('\n');
}

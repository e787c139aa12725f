import { DEPRECATIONS, type Deprecations } from '../deprecations';
import { EXAMPLES } from '../examples';
import { ALL_OPERATIONS, BASE_PATH, type Operation } from '../operations';
import { componentHeaders } from './headers';
import { componentParameters, parametersOf, pathParameters } from './parameters';
import { componentResponses, responsesOf } from './responses';
import { bodyName, componentSchemas, type Json, schemaRef } from './schemas';
import { webhooks } from './webhooks';

const DESCRIPTION = [
  'Book appointments at a business for your customers: read the catalog and the available slots, then create, read,',
  'reschedule, and cancel bookings. Server to server only: never use a key in browser code.',
  'Composite bookings (several services at once) are not supported.',
].join(' ');

const TAGS = [
  { name: 'Catalog', description: 'Services, locations, and specialists.' },
  { name: 'Availability', description: 'Available slots.' },
  { name: 'Bookings', description: 'Create, find, read, cancel, and reschedule bookings.' },
  { name: 'Webhooks', description: 'Events that are sent to you when a booking changes.' },
  { name: 'Application', description: 'Your own application and key.' },
  {
    name: 'Sandbox',
    description: 'Only in TEST: a clock that you advance, the actions of the owner, and your readiness for LIVE.',
  },
  { name: 'Own systems', description: 'Only for machines of the business, such as a till: times that they sell.' },
];

function tagOf({ path }: Operation): string {
  if (path.startsWith('/catalog')) return 'Catalog';
  if (path.startsWith('/webhooks')) return 'Webhooks';
  if (path.startsWith('/busy')) return 'Own systems';
  if (path === '/events') return 'Webhooks';
  if (path === '/me') return 'Application';
  if (path.startsWith('/test')) return 'Sandbox';
  return path.startsWith('/bookings') ? 'Bookings' : 'Availability';
}

function requestBody(operation: Operation): Json {
  if (!operation.body) return {};
  const schema = schemaRef(bodyName(operation.body));
  const example = EXAMPLES[operation.id].request;
  return { requestBody: { required: true, content: { 'application/json': { schema, example } } } };
}

function operationObject(operation: Operation, origin: string, deprecations: Deprecations): Json {
  const { id, summary, description, scope, body } = operation;
  return {
    operationId: id,
    summary,
    description,
    ...(deprecations[id] && { deprecated: true }),
    tags: [tagOf(operation)],
    security: [{ ApiKey: scope === null ? [] : [scope] }],
    ...(scope !== null && { 'x-required-scope': scope }),
    'x-idempotency-key': body ? 'required' : 'not used',
    parameters: parametersOf(operation),
    ...requestBody(operation),
    responses: responsesOf(operation, origin),
  };
}

/** Without a contact, the page says what a request to support contains. */
function contactOf(origin: string, support = `${origin}/docs/guides/support`): Json {
  return { name: 'Support', ...(/^https?:/.test(support) ? { url: support } : { email: support }) };
}

const SANDBOX_SCHEMAS = ['TestClock', 'SetTestClock', 'RunOwnerAction', 'Readiness', 'ReportConformance'];

/**
 * Returns the OpenAPI 3.1 document of the public API at `origin`, from the schemas and tables in lib/contract. That of
 * LIVE has no operation of the sandbox.
 * @param support the email address or the URL of support for partners.
 */
export function openApiDocument(
  origin: string,
  environment: 'TEST' | 'LIVE' = 'TEST',
  deprecations: Deprecations = DEPRECATIONS,
  support?: string,
) {
  const isTest = environment === 'TEST';
  const schemas = componentSchemas();
  for (const name of isTest ? [] : SANDBOX_SCHEMAS) delete schemas[name];
  const paths: Record<string, Json> = {};
  for (const operation of ALL_OPERATIONS) {
    if (operation.testOnly && !isTest) continue;
    const item = paths[operation.path] ?? { parameters: pathParameters(operation.path) };
    item[operation.method.toLowerCase()] = operationObject(operation, origin, deprecations);
    paths[operation.path] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Booking API',
      version: '1.0.0',
      description: DESCRIPTION,
      contact: contactOf(origin, support),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { url: `${origin}/docs`, description: 'Quickstart, guides, and errors' },
    servers: [{ url: origin + BASE_PATH }],
    tags: TAGS.filter(({ name }) => isTest || name !== 'Sandbox'),
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of your application, `pbk_test_…` or `pbk_live_…`.',
        },
      },
      schemas,
      headers: componentHeaders(),
      parameters: componentParameters(),
      responses: componentResponses(origin),
    },
  };
}

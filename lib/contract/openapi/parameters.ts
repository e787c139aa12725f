import { bookingReference } from '../bookings';
import { busyExternalId } from '../busy';
import { EXAMPLE_IDS, EXAMPLE_TOKEN } from '../common';
import type { Operation } from '../operations';
import { shaped } from '../text';
import { type Json, parameterSchema } from './schemas';

const ref = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** Returns the parameters for the `components` section of the document. */
export function componentParameters(): Json {
  const { description, examples, ...schema } = parameterSchema(bookingReference);
  return {
    PbrReference: {
      name: 'pbr_reference',
      in: 'path',
      required: true,
      description: "Reference of one of your application's bookings.",
      schema,
      example: EXAMPLE_IDS.booking,
    },
    ExternalId: {
      name: 'external_id',
      in: 'path',
      required: true,
      ...pathParameterOf(busyExternalId),
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      description:
        'A unique value that you choose for this write, such as a UUID. A repeated identical request is a replay.',
      schema: { type: 'string', ...shaped('^[\\x21-\\x7e]+$', 128, 16) },
      example: '5d4a1c2e-8f0b-4c3d-9e6a-7b2f1d0c9e8a',
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description:
        'The `ETag` of an earlier response to the same request. While the response is the same, the answer is a 304 without a body, at a tenth of the cost.',
      schema: { type: 'string', ...shaped('^[\\x20-\\x7e]*$', 4_000) },
      example: `W/"${EXAMPLE_TOKEN}"`,
    },
    AcceptLanguage: {
      name: 'Accept-Language',
      in: 'header',
      required: false,
      description:
        'Languages in order of preference; `de_DE` is read as `de-DE`. The `locale` parameter takes precedence.',
      schema: { type: 'string', ...shaped('^[\\x20-\\x7e]*$', 500) },
      example: 'de, en;q=0.8',
    },
  };
}

/** Returns whether the responses of an operation have a token (contract B17). */
export function hasToken({ query }: Operation): boolean {
  return 'min_token' in query.shape;
}

function pathParameterOf(field: typeof busyExternalId): Json {
  const { description, examples, ...schema } = parameterSchema(field);
  return { description, schema, example: Array.isArray(examples) ? examples[0] : undefined };
}

function queryParameter(name: string, field: Operation['query']['shape'][string]): Json {
  const { description, examples, ...schema } = parameterSchema(field);
  const required = field._zod.optin === undefined;
  return {
    name,
    in: 'query',
    required,
    description,
    schema,
    example: Array.isArray(examples) ? examples[0] : undefined,
  };
}

/** Returns the query and header parameters of an operation. */
export function parametersOf(operation: Operation): unknown[] {
  const query = Object.entries(operation.query.shape).map(([name, field]) => queryParameter(name, field));
  const { shape } = operation.query;
  const reads = [...('locale' in shape ? ['AcceptLanguage'] : []), ...(hasToken(operation) ? ['IfNoneMatch'] : [])];
  const headers = operation.body ? ['IdempotencyKey'] : reads;
  return [...query, ...headers.map(ref)];
}

/** Returns the parameters in a path. */
export function pathParameters(path: string): unknown[] {
  if (path.includes('{external_id}')) return [ref('ExternalId')];
  return path.includes('{pbr_reference}') ? [ref('PbrReference')] : [];
}

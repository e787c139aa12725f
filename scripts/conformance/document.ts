import { z } from 'zod';
import { UsageError } from './options';

/** Only the keywords that are needed to derive malformed values. */
export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  enum?: unknown[];
  anyOf?: Schema[];
  /** Set by `readDocument`. */
  nullable?: boolean;
  $ref?: string;
};

export type Parameter = { name: string; in: string; required?: boolean; schema: Schema; example?: unknown };

/** With its references resolved. */
export type Described = {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: { schema: Schema; example: Record<string, unknown> } | null;
};

const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

type Document = z.infer<typeof documentShape>;
type Media = { content?: { 'application/json'?: { schema: Schema; example?: unknown } } };
type Operation = { operationId?: string; parameters?: unknown[]; requestBody?: Media };

function resolve<T>(document: Document, value: unknown): T {
  const ref = (value as { $ref?: unknown } | null)?.$ref;
  if (typeof ref !== 'string') return value as T;
  const [, , group = '', name = ''] = ref.split('/');
  return document.components[group]?.[name] as T;
}

function deep(document: Document, schema: Schema): Schema {
  const own = withoutNull(resolve<Schema>(document, schema));
  if (!own.properties) return own;
  const properties = Object.entries(own.properties).map(([name, part]) => [name, deep(document, part)]);
  return { ...own, properties: Object.fromEntries(properties) };
}

function withoutNull(schema: Schema): Schema {
  const [first, second] = schema.anyOf ?? [];
  return first && second?.type === 'null' ? { ...schema, ...first, nullable: true } : schema;
}

function operationsOf(document: Document): Described[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => /^(get|post|put|patch|delete)$/.test(method))
      .map(([method, value]) => {
        const { operationId, parameters = [], requestBody } = value as Operation;
        const shared = (item.parameters as unknown[] | undefined) ?? [];
        const media = requestBody?.content?.['application/json'];
        return {
          id: operationId ?? `${method} ${path}`,
          method: method.toUpperCase(),
          path,
          parameters: [...shared, ...parameters].map((one) => resolve<Parameter>(document, one)),
          body: media
            ? { schema: deep(document, media.schema), example: (media.example ?? {}) as Record<string, unknown> }
            : null,
        };
      }),
  );
}

/** @throws UsageError if there is no valid document, or if the document has no operations. */
export async function readDocument(address: string): Promise<Described[]> {
  const response = await fetch(address, { signal: AbortSignal.timeout(20_000) }).catch(() => null);
  const parsed = response?.ok ? documentShape.safeParse(await response.json().catch(() => null)) : null;
  if (!parsed?.success) throw new UsageError(`There is no OpenAPI document at ${address}. Set its URL with --openapi.`);
  const operations = operationsOf(parsed.data);
  if (operations.length === 0) throw new UsageError('The OpenAPI document has no operations.');
  return operations;
}

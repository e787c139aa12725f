import { readFileSync } from 'node:fs';
import { OPERATIONS, type Operation } from '@/lib/contract/operations';

/** How one language writes the method of an operation. `path` is the path before and after the variable, if there is one. */
type Writer = (operation: Operation, parts: { before: string; after: string | null; summary: string }) => string;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const snake = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const hasQuery = ({ query }: Operation) => Object.keys(query.shape).length > 0;
const listed = (parts: readonly (string | false | undefined)[]) => parts.filter(Boolean).join(', ');

const python: Writer = (operation, { before, after, summary }) => {
  const { id, method, body } = operation;
  const query = hasQuery(operation);
  const parameters = listed([
    'self',
    after !== null && 'reference',
    query && 'query=None',
    body && 'body, idempotency_key',
  ]);
  const path = after === null ? `"${before}"` : `"${before}" + quote(reference)${after && ` + "${after}"`}`;
  const sent = listed([`"${method}"`, path + (query ? ' + search(query)' : ''), body && 'body, idempotency_key']);
  return `    def ${snake(id)}(${parameters}):\n        """${summary}"""\n        return self.call(${sent})\n`;
};

const php: Writer = (operation, { before, after, summary }) => {
  const { id, method, body } = operation;
  const query = hasQuery(operation);
  const parameters = listed([
    after !== null && 'string $reference',
    query && 'array $query = []',
    body && 'array $body, string $idempotencyKey',
  ]);
  const path = after === null ? `'${before}'` : `'${before}' . rawurlencode($reference)${after && ` . '${after}'`}`;
  const sent = listed([
    `'${method}'`,
    path + (query ? ' . self::search($query)' : ''),
    body && '$body, $idempotencyKey',
  ]);
  return `    /** ${summary} */\n    public function ${id}(${parameters}): array\n    {\n        return $this->call(${sent});\n    }\n`;
};

const go: Writer = (operation, { before, after, summary }) => {
  const { id, method, body } = operation;
  const query = hasQuery(operation);
  const parameters = listed([
    'ctx context.Context',
    after !== null && 'reference string',
    query && 'query url.Values',
    body && 'body any, idempotencyKey string',
    'data any',
  ]);
  const path = after === null ? `"${before}"` : `"${before}"+url.PathEscape(reference)${after && `+"${after}"`}`;
  const sent = listed([
    'ctx',
    `"${method}"`,
    path + (query ? '+search(query)' : ''),
    body ? 'body, idempotencyKey' : 'nil, ""',
    'data',
  ]);
  return `// ${capital(id)}: ${summary}\nfunc (c *Client) ${capital(id)}(${parameters}) error {\n\treturn c.Call(${sent})\n}\n`;
};

const java: Writer = (operation, { before, after, summary }) => {
  const { id, method, body } = operation;
  const query = hasQuery(operation);
  const parameters = listed([
    after !== null && 'String reference',
    query && 'Map<String, ?> query',
    body && 'Map<String, ?> body, String idempotencyKey',
  ]);
  const path = after === null ? `"${before}"` : `"${before}" + encoded(reference)${after && ` + "${after}"`}`;
  const sent = listed([
    `"${method}"`,
    path + (query ? ' + search(query)' : ''),
    body ? 'body, idempotencyKey' : 'null, null',
  ]);
  return `    /** ${summary} */\n    public Map<String, Object> ${id}(${parameters}) {\n        return call(${sent});\n    }\n`;
};

const csharp: Writer = (operation, { before, after, summary }) => {
  const { id, method, body } = operation;
  const query = hasQuery(operation);
  const parameters = listed([
    after !== null && 'string reference',
    query && 'IDictionary<string, object> query',
    body && 'object body, string idempotencyKey',
    'CancellationToken cancel = default(CancellationToken)',
  ]);
  const path =
    after === null ? `"${before}"` : `"${before}" + Uri.EscapeDataString(reference)${after && ` + "${after}"`}`;
  const sent = listed([
    `"${method}"`,
    path + (query ? ' + Search(query)' : ''),
    body ? 'body, idempotencyKey' : 'null, null',
    'cancel',
  ]);
  return `        /// <summary>${summary}</summary>\n        public Task<Dictionary<string, object>> ${capital(id)}Async(${parameters})\n        {\n            return CallAsync(${sent});\n        }\n`;
};

/** The clients with a region of generated methods. `indent` is that of the markers of the region. */
const CLIENTS: readonly { file: string; writer: Writer }[] = [
  { file: 'clients/python/src/partner_booking/partner.py', writer: python },
  { file: 'clients/php/src/partner.php', writer: php },
  { file: 'clients/go/partner.go', writer: go },
  { file: 'clients/java/src/main/java/partnerbooking/Partner.java', writer: java },
  { file: 'clients/csharp/Partner.cs', writer: csharp },
];

const REGION = /^(.* region operations\n)[\s\S]*?^(.* endregion operations)$/m;

function partsOf({ method, path, summary }: Operation) {
  const [before = '', after = null] = path.split(/\{\w+\}/);
  return { before, after, summary: `${summary}: ${method} ${path}.` };
}

function withMethods(text: string, writer: Writer): string {
  const methods = OPERATIONS.map((operation) => writer(operation, partsOf(operation)));
  const blank = writer === go ? '\n' : '';
  return text.replace(
    REGION,
    (_, open: string, close: string) => `${open}${blank}${methods.join('\n')}${blank}${close}`,
  );
}

/** The files with generated methods, and functions that return what they must contain. */
export const CLIENT_METHODS = CLIENTS.map(({ file, writer }) => {
  const url = new URL(`../../${file}`, import.meta.url);
  return { file: url, generate: () => withMethods(readFileSync(url, 'utf8'), writer) };
});

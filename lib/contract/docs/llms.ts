import { BASE_PATH } from '../operations';
import type { Deployment } from './deployment';
import type { Page } from './pages';
import { twinOf, twinPath } from './twin';

const SUMMARY =
  'Book appointments at a business for your customers: read the catalog and the available slots, then create, read, reschedule, and cancel bookings.';

const FILES: readonly [string, string][] = [
  ['openapi.json', 'the OpenAPI 3.1 document'],
  ['client.ts', 'the typed client for Node.js, Deno, and Bun, without dependencies'],
  ['samples/partner.py', 'the client in Python; partner.php, partner.go, Partner.java, and Partner.cs are beside it'],
  ['webhook-vectors.json', 'test vectors for webhook signatures'],
  ['digest-vectors.json', 'test vectors for the digest of bookings'],
  ['postman.json', 'the Postman collection'],
  ['changelog.atom', 'the changelog as an Atom feed'],
  ['conformance.mjs', 'the conformance suite'],
  ['mcp.mjs', 'the MCP server'],
];

/** Pages that openapi.json or another page repeats. A reader with little room skips them. */
const isOptional = ({ path, group }: Page) =>
  group === 'Errors' || path.startsWith('/docs/reference/') || path === '/docs/changelog';

function basics({ origin, environment, keyPrefix }: Deployment): string {
  return [
    `- This deployment is ${environment}. Base URL: ${origin}${BASE_PATH}`,
    `- Every request has the header \`Authorization: Bearer ${keyPrefix}…\`. Server to server only: an API key never belongs in a browser.`,
    '- Requests and responses are JSON. A success is `{"data": …, "meta": …}`, a refusal is `{"error": {"code", "message", "reason", "fields", "doc_url"}, "meta": …}`.',
    '- Every POST has the header `Idempotency-Key`, 16 to 128 characters, new for each logical write. After a lost response, any 5xx, or a body that is not JSON of this API, send the same request with the same idempotency key.',
    '- Dates are `YYYY-MM-DD` and times `HH:MM`, both in the time zone of the location.',
    '- If two pages disagree, the contract applies.',
  ].join('\n');
}

/** Returns the list of all pages for language models (llmstxt.org). The links lead to the pages in Markdown. */
export function llmsText(pages: readonly Page[], deployment: Deployment): string {
  const { origin } = deployment;
  const line = ({ path, title, description }: Page) => `- [${title}](${origin}${twinPath(path)}): ${description}`;
  const sectionOf = (title: string, members: readonly Page[]) => `## ${title}\n\n${members.map(line).join('\n')}\n`;
  const needed = pages.filter((page) => !isOptional(page));
  const groups = [...new Set(needed.map(({ group }) => group))];
  const files = FILES.map(([name, meaning]) => `- [${name}](${origin}/docs/${name}): ${meaning}`);
  return [
    '# Partner Booking API\n',
    `> ${SUMMARY}\n`,
    `${basics(deployment)}\n`,
    ...groups.map((group) =>
      sectionOf(
        group,
        needed.filter((page) => page.group === group),
      ),
    ),
    `## Files\n\n${files.join('\n')}\n- [llms-full.txt](${origin}/llms-full.txt): all pages in one file\n`,
    sectionOf('Optional', pages.filter(isOptional)),
  ].join('\n');
}

/** Returns all pages as one Markdown text. */
export function llmsFullText(pages: readonly Page[], deployment: Deployment): string {
  const texts = pages.map((page) => `<!-- ${deployment.origin}${page.path} -->\n\n${twinOf(page, pages, deployment)}`);
  return [`# Partner Booking API\n\n> ${SUMMARY}\n\n${basics(deployment)}\n`, ...texts].join('\n');
}

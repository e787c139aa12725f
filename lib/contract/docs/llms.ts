import type { Deployment } from './deployment';
import type { Page } from './pages';
import { twinPath } from './twin';

const SUMMARY =
  'Book appointments at a business for your customers: read the catalog and the available slots, then create, read, reschedule, and cancel bookings.';

/** The files of the documentation that are not pages, each with a description. */
const FILES: readonly [string, string][] = [
  ['openapi.json', 'the OpenAPI 3.1 document'],
  ['client.ts', 'the typed client for Node.js, Deno, and Bun, without dependencies'],
  ['samples/partner.py', 'the client in Python; partner.php and partner.go are in the same directory'],
  ['webhook-vectors.json', 'test vectors for webhook signatures'],
  ['postman.json', 'the Postman collection'],
  ['conformance.mjs', 'the conformance suite'],
];

/** Returns the list of all pages for language models (llmstxt.org). The links lead to the pages in Markdown. */
export function llmsText(pages: readonly Page[], { origin, environment }: Deployment): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const lines = pages
      .filter((page) => page.group === group)
      .map(({ path, title, description }) => `- [${title}](${origin}${twinPath(path)}): ${description}`);
    return `## ${group}\n\n${lines.join('\n')}\n`;
  });
  const files = FILES.map(([name, meaning]) => `- [${name}](${origin}/docs/${name}): ${meaning}`);
  return [
    '# Partner Booking API\n',
    `> ${SUMMARY}\n`,
    `This deployment is ${environment}. Server to server only: an API key never belongs in a browser.\n`,
    ...sections,
    `## Files\n\n${files.join('\n')}\n`,
  ].join('\n');
}

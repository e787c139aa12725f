import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXAMPLE_EVENT, EXAMPLE_THIN_EVENTS } from '@/lib/contract/event-examples';
import { BASE_PATH } from '@/lib/contract/operations';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * A code block on a page. `name` is the word after the language on the block's first line: a file name or a purpose.
 */
export type Block = { page: string; language: string; name: string; code: string };

const PARTNER = 'docs/partner';

/** Pages for operators, owners, and contributors. */
export const OWN = [
  'README.md',
  'docs/operating.md',
  'docs/failover.md',
  'docs/inngest.md',
  'docs/zones.md',
  'docs/owner.md',
  'docs/backup.md',
  'docs/upgrade.md',
];

/** Returns the paths of all pages: the pages for partners, then the pages in `OWN`. */
function texts(): string[] {
  const files = readdirSync(join(ROOT, PARTNER), { recursive: true, encoding: 'utf8' });
  const partner = files.filter((file) => file.endsWith('.md')).map((file) => `${PARTNER}/${file}`);
  return [...partner.sort(), ...OWN];
}

function filled(text: string, origin: string): string {
  return text
    .replaceAll('{{origin}}', origin)
    .replaceAll('{{api}}', origin + BASE_PATH)
    .replaceAll('{{key_prefix}}', 'pbk_test_')
    .replaceAll('{{environment}}', 'TEST')
    .replaceAll('{{event}}', JSON.stringify(EXAMPLE_EVENT))
    .replaceAll('{{thin_event}}', JSON.stringify(EXAMPLE_THIN_EVENTS['availability.changed']))
    .replaceAll('{{slots}}', '{}');
}

/** Returns every code block of the documentation, with its placeholders filled in for a deployment at `origin`. */
export function codeBlocks(origin: string): Block[] {
  return texts().flatMap((page) => {
    const text = filled(readFileSync(join(ROOT, page), 'utf8'), origin);
    return [...text.matchAll(/^```(\w*) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, language = '', name = '', code = '']) => ({
      page: page.replace(`${PARTNER}/`, ''),
      language,
      name,
      code,
    }));
  });
}

/** The source of a minimal replacement for curl, for machines without curl. */
export const MINIMAL_CURL = `#!/usr/bin/env node
// Replaces curl where it is not installed. Supports only the options that the examples use.
const { readFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const flags = { headers: {} };
for (let i = 0; i < args.length; i += 1) {
  const arg = args[i];
  if (arg === '-s') continue;
  else if (arg === '-i') flags.include = true;
  else if (arg === '-H') { const [name, ...value] = args[++i].split(':'); flags.headers[name] = value.join(':').trim(); }
  else if (arg === '-d') { const data = args[++i]; flags.body = data.startsWith('@') ? readFileSync(data.slice(1), 'utf8') : data; }
  else if (arg === '-O') flags.remote = true;
  else if (arg === '-o') flags.output = args[++i];
  else if (arg === '-w') flags.write = args[++i];
  else if (arg === '-D') flags.dump = args[++i];
  else if (arg === '--max-time') i += 1;
  else flags.url = arg;
}
if (flags.remote) flags.output = flags.url.split('/').at(-1);
fetch(flags.url, { method: flags.body ? 'POST' : 'GET', headers: flags.headers, body: flags.body }).then(async (response) => {
  const head = 'HTTP/1.1 ' + response.status + '\\r\\n' + [...response.headers].map(([n, v]) => n + ': ' + v + '\\r\\n').join('') + '\\r\\n';
  const body = await response.text();
  if (flags.include || flags.dump) process.stdout.write(head);
  if (flags.output) writeFileSync(flags.output, body); else process.stdout.write(body);
  if (flags.write) process.stdout.write(String(response.status));
});
`;

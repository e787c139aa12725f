import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The samples of pages, and the clients as their packages contain them. File names are unique. */
const FOLDERS = [
  'docs/partner/samples',
  'clients/python/src/partner_booking',
  'clients/php/src',
  'clients/go',
  'clients/java/src/main/java/partnerbooking',
  'clients/csharp',
];

const SOURCE = /^[A-Za-z]\w*\.(ts|py|php|go|java|cs)$/;

const PATHS: ReadonlyMap<string, string> = new Map(
  FOLDERS.flatMap((folder) =>
    readdirSync(join(process.cwd(), folder)).flatMap((name) =>
      SOURCE.test(name) ? [[name, `${folder}/${name}`]] : [],
    ),
  ),
);

/** Returns the path of a sample file, relative to the repository root. */
export function samplePath(name: string): string {
  const path = PATHS.get(name);
  if (!path) throw new Error(`There is no sample ${name}.`);
  return path;
}

/** The hand-written part of the published TypeScript client. Pages show regions of this file as TypeScript samples. */
const RUNTIME = 'scripts/client/runtime.ts';

/**
 * A sample in one language. `file` is relative to the repository root. `region` names the part of the file that a page
 * shows. That part is between two marker lines, `region` and `endregion`, which are removed from served files.
 * `download` is the URL path of the whole file.
 */
type Sample = { file: string; region?: string; download: string };

/** Languages in which a file has the name of its class, such as `AllServices.java` for the sample `all_services`. */
const BY_CLASS = new Set(['java', 'cs']);

/** Returns the file name of a sample in a language. */
export function sampleFile(name: string, extension: string): string {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${BY_CLASS.has(extension) ? words.join('') : name}.${extension}`;
}

const OTHERS = ['py', 'php', 'go', 'java', 'cs'] as const;

const samplesOf = (name: string, extensions: readonly string[], region?: string): Sample[] =>
  extensions.map((extension) => {
    const fileName = sampleFile(name, extension);
    return { file: samplePath(fileName), download: `/docs/samples/${fileName}`, ...(region && { region }) };
  });

const fromClient = (region: string): Sample => ({ file: RUNTIME, region, download: '/docs/client.ts' });

/** Maps each name in a marker `{{tabs name}}` to the samples that pages show as tabs in place of the marker. */
const TABS: Record<string, readonly Sample[]> = {
  booking: samplesOf('book', ['ts', ...OTHERS]),
  paging: samplesOf('all_services', ['ts', ...OTHERS]),
  client: samplesOf('partner', OTHERS),
  retry: [fromClient('retry'), ...samplesOf('partner', OTHERS, 'retry')],
  webhook: [fromClient('webhook'), ...samplesOf('webhook', OTHERS)],
  digest: samplesOf('digest', ['ts', ...OTHERS]),
};

const LANGUAGES: Record<string, string> = { py: 'python', cs: 'csharp' };

const textOf = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

/** A line between two blank lines, as in Go, also matches the second one. */
const MARKER = /^ *(?:#|\/\/) (?:end)?region \w+\n(?:(?<=\n\n.*\n)\n)?/gm;

export const withoutMarkers = (file: string) => textOf(file).replaceAll(MARKER, '');

function partOf({ file, region, download }: Sample): string {
  if (!region) return withoutMarkers(file).trim();
  const part = new RegExp(`^.*region ${region}$\\n([\\s\\S]*?)^.*endregion ${region}$`, 'm').exec(textOf(file))?.[1];
  if (part === undefined) throw new Error(`${file} has no region ${region}.`);
  const comment = file.endsWith('.py') ? '#' : '//';
  return `${comment} Excerpt. The whole file: ${download}\n${dedent(part).trim()}`;
}

function dedent(text: string): string {
  const indents = [...text.matchAll(/^ *(?=\S)/gm)].map(([indent]) => indent.length);
  return text.replaceAll(new RegExp(`^ {${Math.min(...indents)}}`, 'gm'), '');
}

/** Returns the Markdown that replaces `{{tabs name}}`. It has one code block per sample, shown as a tab. */
export function tabs(name: string): string {
  const blocks = (TABS[name] ?? []).map((sample) => {
    const fileName = sample.download.split('/').at(-1) ?? '';
    const extension = fileName.split('.').at(-1) ?? '';
    return `\`\`\`${LANGUAGES[extension] ?? extension} ${fileName} tab\n${partOf(sample)}\n\`\`\``;
  });
  return blocks.join('\n\n');
}

/** Returns the names of the sample files. */
export function sampleNames(): string[] {
  return [...PATHS.keys()].sort();
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the samples that are files. Tests run them. */
const FOLDER = 'docs/partner/samples';

/** The published client, whose parts are the samples in TypeScript. */
const CLIENT = 'lib/contract/client.ts';

/**
 * A sample in one language: its file, relative to the root, and the part of the file that a page shows. Lines with
 * `region` and `endregion` mark a part.
 */
type Sample = { file: string; region?: string };

const inEveryLanguage = (name: string, region: string): Sample[] => [
  { file: CLIENT, region },
  ...['py', 'php', 'go'].map((extension) => ({ file: `${FOLDER}/${name}.${extension}`, region })),
];

/** The samples that pages show as tabs, by the name in the marker `{{tabs name}}`. */
const TABS: Record<string, readonly Sample[]> = {
  booking: ['ts', 'py', 'php', 'go'].map((extension) => ({ file: `${FOLDER}/book.${extension}` })),
  paging: ['ts', 'py', 'php', 'go'].map((extension) => ({ file: `${FOLDER}/all_services.${extension}` })),
  client: ['py', 'php', 'go'].map((extension) => ({ file: `${FOLDER}/partner.${extension}` })),
  retry: inEveryLanguage('partner', 'retry'),
  webhook: inEveryLanguage('webhook', 'webhook'),
};

const LANGUAGES: Record<string, string> = { py: 'python' };

/** Returns the text of a file of the clone. */
const textOf = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

function partOf({ file, region }: Sample): string {
  const text = textOf(file);
  const part = region && new RegExp(`^.*region ${region}$\\n([\\s\\S]*?)^.*endregion ${region}$`, 'm').exec(text)?.[1];
  return (part || text.replaceAll(/^[^\w\n]*(end)?region \w+\n/gm, '')).trim();
}

/** Returns the samples of a marker as Markdown: consecutive code blocks with the word `tab`. */
export function tabs(name: string): string {
  const blocks = (TABS[name] ?? []).map((sample) => {
    const fileName = sample.file.split('/').at(-1) ?? '';
    const extension = fileName.split('.').at(-1) ?? '';
    return `\`\`\`${LANGUAGES[extension] ?? extension} ${fileName} tab\n${partOf(sample)}\n\`\`\``;
  });
  return blocks.join('\n\n');
}

/** Returns the names of the sample files. */
export function sampleNames(): string[] {
  return readdirSync(join(process.cwd(), FOLDER)).sort();
}

/** Returns the path of a sample file, relative to the root. */
export const samplePath = (name: string) => `${FOLDER}/${name}`;

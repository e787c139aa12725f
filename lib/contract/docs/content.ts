import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE_EVENT } from '../events';
import { BASE_PATH } from '../operations';
import type { Deployment } from './deployment';
import type { Html } from './html';
import { renderMarkdown } from './markdown';

/** Where the texts are, one short file for each page. */
const CONTENT = 'docs/partner';

/** What texts leave to the deployment: `{{api}}` and the like. */
function filled(text: string, { origin, environment, keyPrefix }: Deployment): string {
  const words: Record<string, string> = {
    origin,
    api: origin + BASE_PATH,
    environment,
    key_prefix: keyPrefix,
    event: JSON.stringify(EXAMPLE_EVENT, null, 2),
  };
  return text.replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => words[name] ?? all);
}

/**
 * Returns a text of the documentation as HTML, with this deployment's addresses in it.
 * @throws Error when there is no such file.
 */
export function content(file: string, deployment: Deployment): Html {
  return renderMarkdown(contentText(file, deployment));
}

/** Returns a text of the documentation as Markdown, with this deployment's addresses in it. */
export function contentText(file: string, deployment: Deployment): string {
  return filled(readFileSync(join(process.cwd(), CONTENT, `${file}.md`), 'utf8'), deployment);
}

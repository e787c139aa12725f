import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE_EVENT, EXAMPLE_THIN_EVENTS } from '../event-examples';
import { EXAMPLES } from '../examples';
import { BASE_PATH } from '../operations';
import type { Deployment } from './deployment';
import type { Html } from './html';
import { type LiveExample, liveData } from './live-example';
import { renderMarkdown } from './markdown';
import { tabs } from './samples';

const CONTENT = 'docs';

/**
 * Replaces markers such as `{{tabs retry}}` with samples, and placeholders such as `{{api}}` with the deployment's
 * values. Removes sections such as `{{#TEST}}…{{/TEST}}` that are for the other environment.
 */
function filled(text: string, { origin, environment, keyPrefix, otherUrl, support, live }: Deployment): string {
  const values: Record<string, string> = {
    origin,
    api: origin + BASE_PATH,
    environment,
    key_prefix: keyPrefix,
    other_quickstart: otherUrl ? new URL('/docs/quickstart', otherUrl).href : '/docs/guides/environments',
    support: support ? `to \`${support}\`` : 'to the business, in the way that you agreed',
    event: JSON.stringify(EXAMPLE_EVENT, null, 2),
    thin_event: JSON.stringify(EXAMPLE_THIN_EVENTS['availability.changed'], null, 2),
    ...firstCall(live),
  };
  return text
    .replaceAll(/\{\{#(TEST|LIVE)\}\}([\s\S]*?)\{\{\/\1\}\}/g, (_, where: string, part: string) =>
      where === environment ? part : '',
    )
    .replaceAll(/^\{\{tabs (\w+)\}\}$/gm, (_, name: string) => tabs(name))
    .replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => values[name] ?? all);
}

/** The call on the first screen and its answer, as the page of the operation shows them. */
function firstCall(live: LiveExample | undefined): Record<string, string> {
  const recorded = EXAMPLES.listAvailability.response as {
    data: { slots: { service_id: string; location_id: string; date: string }[] };
  };
  const response = liveData(recorded, live);
  const [slot] = response.data.slots;
  if (!slot) throw new Error('The recorded example of availability has no slot.');
  return {
    service_id: slot.service_id,
    location_id: slot.location_id,
    date: slot.date,
    slots: JSON.stringify(response, null, 2),
  };
}

/**
 * Returns a Markdown file as HTML, with the deployment's values in place of the placeholders.
 * @param file the path below docs/, without the extension.
 * @throws Error if the file does not exist.
 */
export function content(file: string, deployment: Deployment): Html {
  return renderMarkdown(contentText(file, deployment));
}

/** Returns the text of a Markdown file, with the deployment's values in place of the placeholders. */
export function contentText(file: string, deployment: Deployment): string {
  return filled(readFileSync(join(process.cwd(), CONTENT, `${file}.md`), 'utf8'), deployment);
}

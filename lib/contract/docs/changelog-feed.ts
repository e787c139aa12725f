import { contentText } from './content';
import type { Deployment } from './deployment';
import { escapeHtml } from './html';
import { renderMarkdown, slugOf } from './markdown';

const PAGE = '/docs/changelog';

export const FEED = '/docs/changelog.atom';

/** A random UUID without its last digits. Another one would show every entry as new in every reader. */
const UUID = '4f0c6a52-8d0e-4b61-9a2c-';

/** Returns the id of a day. It does not depend on the host, so that a new address repeats no entry. */
function idOf(date: string): string {
  return `urn:uuid:${UUID}${date.replaceAll('-', '').padStart(12, '0')}`;
}

/** A day of the changelog. `date` is such as `2026-11-29`. */
type Day = { date: string; markdown: string };

function daysOf(changelog: string): Day[] {
  const [, ...sections] = changelog.split(/^## /m);
  return sections.map((section) => ({ date: section.slice(0, 10), markdown: section.slice(section.indexOf('\n')) }));
}

const updated = (date: string) => `<updated>${date}T00:00:00Z</updated>`;

/** Returns the changelog as an Atom feed (RFC 4287) with one entry per day, newest first. */
export function changelogFeed(deployment: Deployment): string {
  const { origin } = deployment;
  const days = daysOf(contentText('partner/changelog', deployment));
  const entries = days.map(({ date, markdown }) => {
    const content = renderMarkdown(markdown).text.replaceAll('href="/', `href="${origin}/`);
    return `<entry>
<id>${idOf(date)}</id>
<title>Changes of ${date}</title>
${updated(date)}
<link rel="alternate" type="text/html" href="${escapeHtml(`${origin}${PAGE}#${slugOf(date)}`)}"/>
<content type="html">${escapeHtml(content)}</content>
</entry>
`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${idOf('')}</id>
<title>Partner Booking API: changelog</title>
${updated(days[0]?.date ?? '')}
<author><name>Partner Booking API</name></author>
<link rel="self" type="application/atom+xml" href="${escapeHtml(origin + FEED)}"/>
<link rel="alternate" type="text/html" href="${escapeHtml(origin + PAGE)}"/>
${entries.join('')}</feed>
`;
}

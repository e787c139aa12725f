/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

/** Returns text with nothing in it that HTML would read. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(write).join('') : escapeHtml(String(part));
}

/** Returns HTML; what is put into it is escaped unless it is HTML itself, and a list is joined. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.map((text, i) => text + (i < parts.length ? write(parts[i] ?? null) : '')).join(''));
}

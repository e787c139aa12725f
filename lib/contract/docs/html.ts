/** Text that is already HTML and must not be escaped again. */
export class Html {
  constructor(readonly text: string) {}
}

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(write).join('') : escapeHtml(String(part));
}

/** Template tag for HTML. Escapes every value that is not an instance of `Html`, and joins arrays. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.map((text, i) => text + (i < parts.length ? write(parts[i] ?? null) : '')).join(''));
}

import { docsDeployment } from '@/app/_docs';
import { servedFile } from '@/lib/contract/docs/files';
import { docsSite } from '@/lib/contract/docs/site';
import { twinPath } from '@/lib/contract/docs/twin';
import { singleton } from '@/lib/platform/singleton';

const CACHE = 'public, max-age=300';

function site() {
  return singleton('docs:site', () => docsSite(docsDeployment()));
}

/** Serves the partner documentation and its files. The pages work without JavaScript (architecture 8). */
export function GET(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url);
  const query = searchParams.get('q') ?? '';
  if (pathname === '/docs/search.json') {
    return Response.json({ found: site().find(query) }, { headers: { 'Cache-Control': CACHE } });
  }
  const path = pathname.replace(/\/$/, '');
  const file = servedFile(wantsMarkdown(request) ? twinPath(path) : pathname, docsDeployment());
  if (file)
    return new Response(file.text, { headers: { 'Content-Type': file.type, 'Cache-Control': CACHE, Vary: 'Accept' } });
  const { status, text } = pathname === '/docs/search' ? site().results(query) : site().page(path);
  return new Response(text, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': CACHE, Vary: 'Accept' },
  });
}

/** Programs that read text ask for `text/markdown`, and browsers never do. */
function wantsMarkdown({ headers, url }: Request): boolean {
  const accept = headers.get('accept') ?? '';
  return accept.includes('text/markdown') && !accept.includes('text/html') && !/\.\w+$/.test(new URL(url).pathname);
}

/** Must not be prerendered: the deployment's address in the examples is unknown at build time. */
export const dynamic = 'force-dynamic';

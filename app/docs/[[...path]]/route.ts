import { docsPage, docsSearch, searchDocs } from '@/lib/docs/site';

const CACHE = 'public, max-age=300';

/** The documentation for partners: whole pages that need no script (architecture 8). */
export function GET(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url);
  const query = searchParams.get('q') ?? '';
  if (pathname === '/docs/search.json') {
    return Response.json({ found: searchDocs(query) }, { headers: { 'Cache-Control': CACHE } });
  }
  const { status, text } = pathname === '/docs/search' ? docsSearch(query) : docsPage(pathname.replace(/\/$/, ''));
  return new Response(text, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': CACHE },
  });
}

/** Addresses in the examples are known when the server runs, not when it is built. */
export const dynamic = 'force-dynamic';

import type { Deployment } from '@/lib/contract/docs/deployment';
import { servedFile } from '@/lib/contract/docs/files';
import { docsSite } from '@/lib/contract/docs/site';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

const CACHE = 'public, max-age=300';

function deployment(): Deployment {
  const { origin, ENVIRONMENT, keyPrefix, OTHER_ENVIRONMENT_URL: otherUrl } = env();
  return { origin, environment: ENVIRONMENT, keyPrefix, otherUrl };
}

function site() {
  return singleton('docs:site', () => docsSite(deployment()));
}

/** Serves the partner documentation and its files. The pages work without JavaScript (architecture 8). */
export function GET(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url);
  const query = searchParams.get('q') ?? '';
  if (pathname === '/docs/search.json') {
    return Response.json({ found: site().find(query) }, { headers: { 'Cache-Control': CACHE } });
  }
  const file = servedFile(pathname, deployment());
  if (file) return new Response(file.text, { headers: { 'Content-Type': file.type, 'Cache-Control': CACHE } });
  const { status, text } =
    pathname === '/docs/search' ? site().results(query) : site().page(pathname.replace(/\/$/, ''));
  return new Response(text, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': CACHE },
  });
}

/** Must not be prerendered: the deployment's address in the examples is unknown at build time. */
export const dynamic = 'force-dynamic';

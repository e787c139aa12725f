import { docsDeployment, plainDeployment } from '@/app/_docs';
import type { Deployment } from '@/lib/contract/docs/deployment';
import { servedFile } from '@/lib/contract/docs/files';
import { docsSite } from '@/lib/contract/docs/site';
import { twinPath } from '@/lib/contract/docs/twin';
import { singleton } from '@/lib/platform/singleton';

/** Searches do not depend on the examples. */
function search() {
  return singleton('docs:search', () => docsSite(plainDeployment()));
}

let shown: { live: Deployment['live']; site: ReturnType<typeof docsSite> } | null = null;

function siteOf(deployment: Deployment): ReturnType<typeof docsSite> {
  if (!shown || shown.live !== deployment.live) shown = { live: deployment.live, site: docsSite(deployment) };
  return shown.site;
}

/** Serves the partner documentation and its files. The pages work without JavaScript (architecture 8). */
export async function GET(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const query = searchParams.get('q') ?? '';
  if (pathname === '/docs/search.json') {
    return Response.json({ found: search().find(query) }, { headers: { 'Cache-Control': cacheFor(300) } });
  }
  const deployment = await docsDeployment();
  // The examples of TEST name a free slot, which can be booked at any moment.
  const headers = { 'Cache-Control': cacheFor(deployment.live ? 5 : 300), Vary: 'Accept' };
  const path = pathname.replace(/\/$/, '');
  const file = servedFile(wantsMarkdown(request) ? twinPath(path) : pathname, deployment);
  if (file) return new Response(file.text, { headers: { ...headers, 'Content-Type': file.type } });
  const type = { 'Content-Type': 'text/html; charset=utf-8' };
  if (pathname === '/docs/search')
    return new Response(search().results(query).text, { headers: { ...headers, ...type } });
  const { status, text } = siteOf(deployment).page(path);
  const twin = status === 200 && { Link: `<${twinPath(path)}>; rel="alternate"; type="text/markdown"` };
  return new Response(text, { status, headers: { ...headers, ...type, ...twin } });
}

const cacheFor = (seconds: number) => `public, max-age=${seconds}`;

/** Programs that read text ask for `text/markdown`, and browsers never do. */
function wantsMarkdown({ headers, url }: Request): boolean {
  const accept = headers.get('accept') ?? '';
  return accept.includes('text/markdown') && !accept.includes('text/html') && !/\.\w+$/.test(new URL(url).pathname);
}

/** Must not be prerendered: the deployment's address in the examples is unknown at build time. */
export const dynamic = 'force-dynamic';

import { signInPath } from '@/app/_components/sign-in/sign-in-path';
import { tenantPath } from '@/app/_components/tenant-path';
import { plainDeployment } from '@/app/_docs';
import { currentPerson } from '@/app/_session';
import { lastTenantOf } from '@/lib/access/owners/memberships';
import { rootFile } from '@/lib/contract/docs/root-files';
import { ROOT_REDIRECTS } from '@/lib/contract/docs/root-paths';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';

const HEADERS = { 'Cache-Control': 'private, no-store' };

/**
 * Handles paths that name no tenant, such as `/bookings`. Redirects a signed-in user to this page of the tenant that
 * the user used last. Redirects a signed-in user without a tenant to the page on which they join one, and other visitors to
 * the sign-in page.
 */
export async function GET({ headers, url }: Request): Promise<Response> {
  const found = publicFile(new URL(url).pathname);
  if (found) return found;
  const target = headers.get(EDGE_HEADERS.target) ?? '/';
  const person = await currentPerson();
  const tenantId = person && (await lastTenantOf(person.userId));
  const location = tenantId !== null ? tenantPath(tenantId, target) : person ? '/join' : signInPath(target);
  // `tenantPath` does not change a path such as `/t`. A redirect to the same path would cause an endless loop.
  if (location === target) return new Response(null, { status: 404, headers: HEADERS });
  return new Response(null, { status: 307, headers: { ...HEADERS, Location: location } });
}

function publicFile(path: string): Response | null {
  const caching = { 'Cache-Control': 'public, max-age=300' };
  const moved = ROOT_REDIRECTS.get(path);
  if (moved) return new Response(null, { status: 308, headers: { ...caching, Location: moved } });
  const file = rootFile(path, plainDeployment());
  return file && new Response(file.text, { headers: { ...caching, ...file.headers, 'Content-Type': file.type } });
}

/** The response must not be cached. */
export const dynamic = 'force-dynamic';

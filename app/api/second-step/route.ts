import { isOwnPage } from '@/app/_own-page';
import { currentStepMethods } from '@/app/_session';

const HEADERS = { 'Cache-Control': 'private, no-store' };

/** Returns the ways to complete the sign-in that waits for a second factor, with the options of a passkey. */
export async function POST(request: Request): Promise<Response> {
  if (!isOwnPage(request)) return new Response(null, { status: 403, headers: HEADERS });
  const methods = await currentStepMethods();
  return methods ? Response.json(methods, { headers: HEADERS }) : new Response(null, { status: 404, headers: HEADERS });
}

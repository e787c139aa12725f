import { isOwnPage } from '@/app/_own-page';
import { currentStepMethods } from '@/app/_session';

const HEADERS = { 'Cache-Control': 'private, no-store' };

/** Responds with the ways to complete the sign-in, or with 404 if the user must start the sign-in over. */
export async function POST(request: Request): Promise<Response> {
  if (!isOwnPage(request)) return new Response(null, { status: 403, headers: HEADERS });
  const methods = await currentStepMethods();
  return methods ? Response.json(methods, { headers: HEADERS }) : new Response(null, { status: 404, headers: HEADERS });
}

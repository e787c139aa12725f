import NextAuth from 'next-auth';
import { authOptions } from '@/app/_session';

type Context = { params: Promise<{ nextauth: string[] }> };

/** next-auth's own routes: sign in, sign out, the CSRF token, the session. */
function handler(request: Request, context: Context): Promise<Response> {
  return NextAuth(authOptions())(request, context) as Promise<Response>;
}

export { handler as GET, handler as POST };

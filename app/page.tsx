import { env } from '@/lib/env';

/** The environment is known when the server runs, not when it is built. */
export const dynamic = 'force-dynamic';

export default function StartPage() {
  const { ENVIRONMENT, origin } = env();
  return (
    <main className="start">
      <p className={`badge badge-${ENVIRONMENT.toLowerCase()}`}>{ENVIRONMENT}</p>
      <h1>Partner Booking API</h1>
      <p>Trusted partner servers read the catalogue of a business and book for their customers.</p>
      <pre>
        <code>{`curl ${origin}/api/partner/v1/catalog \\\n  -H "Authorization: Bearer $API_KEY"`}</code>
      </pre>
      <p className="muted">
        {ENVIRONMENT === 'TEST'
          ? 'Keys and sign-ins of this sandbox are in credentials.json, in its data directory.'
          : 'An owner issues keys for this environment.'}
      </p>
    </main>
  );
}

// Read only once, so that reading it adds no cost to a request and the route cannot be enabled on a running server.
const ENABLED = process.env.BENCH === '1';
const BODY = ENABLED ? `"${'x'.repeat(Math.max(0, Number(process.env.BENCH_BODY_BYTES ?? 2) - 2))}"` : '';

/** The baseline of the benchmarks: a minimal route handler. Responds with 404 outside of benchmarks. */
export function GET(): Response {
  if (!ENABLED) return new Response(null, { status: 404 });
  return new Response(BODY, { headers: { 'Content-Type': 'application/json; charset=utf-8' } });
}

/** Must not be prerendered: the benchmarks measure requests that run the handler. */
export const dynamic = 'force-dynamic';

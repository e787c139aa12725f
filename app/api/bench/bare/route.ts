// Read once: a comparison must cost nothing per request, and nobody can switch it on in a running server.
const ENABLED = process.env.BENCH === '1';
const BODY = ENABLED ? `"${'x'.repeat(Math.max(0, Number(process.env.BENCH_BODY_BYTES ?? 2) - 2))}"` : '';

/** What the benchmarks compare with: the least that a route handler of this application can do. 404 anywhere else. */
export function GET(): Response {
  if (!ENABLED) return new Response(null, { status: 404 });
  return new Response(BODY, { headers: { 'Content-Type': 'application/json; charset=utf-8' } });
}

/** Never prerendered: what the benchmarks compare with is a request that is handled. */
export const dynamic = 'force-dynamic';

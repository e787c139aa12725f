// Read once, so that a request costs nothing extra and a running server cannot be switched.
const ENABLED = process.env.BENCH === '1';
const BODY = ENABLED ? `"${'x'.repeat(Math.max(0, Number(process.env.BENCH_BODY_BYTES ?? 2) - 2))}"` : '';

/** The baseline of the benchmarks: a minimal route handler. 404 outside of benchmarks. */
export function GET(): Response {
  if (!ENABLED) return new Response(null, { status: 404 });
  return new Response(BODY, { headers: { 'Content-Type': 'application/json; charset=utf-8' } });
}

/** Must not be prerendered: the benchmarks measure handled requests. */
export const dynamic = 'force-dynamic';

// `BENCH` is read only once, when the module is loaded. Therefore, a request does not spend time on reading it, and the
// route cannot be enabled on a running server.
const ENABLED = process.env.BENCH === '1';
const BODY = ENABLED ? `"${'x'.repeat(Math.max(0, Number(process.env.BENCH_BODY_BYTES ?? 2) - 2))}"` : '';

/** A minimal route handler, which is the baseline of the benchmarks. Responds with 404 unless `BENCH` is 1. */
export function GET(): Response {
  if (!ENABLED) return new Response(null, { status: 404 });
  return new Response(BODY, { headers: { 'Content-Type': 'application/json; charset=utf-8' } });
}

/** Must not be prerendered: the benchmarks measure requests that run the handler. */
export const dynamic = 'force-dynamic';

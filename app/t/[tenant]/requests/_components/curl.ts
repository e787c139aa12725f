type Logged = { method: string; path: string | null; route: string | null; had_idempotency_key: boolean };

/**
 * Returns a curl command that repeats a request. The query and the body are not stored, so the command omits the query
 * and sends `{}` as the body of a POST request. The API key and the idempotency key are placeholders. Returns null if
 * neither the path nor the route is known.
 */
export function curlOf({ method, path, route, had_idempotency_key }: Logged, origin: string): string | null {
  const target = path ?? route;
  if (target === null) return null;
  const headers = ['Authorization: Bearer YOUR_API_KEY'];
  if (had_idempotency_key) headers.push('Idempotency-Key: YOUR_IDEMPOTENCY_KEY');
  if (method === 'POST') headers.push('Content-Type: application/json');
  const parts = [`curl -X ${method} '${origin}${target}'`, ...headers.map((header) => `-H '${header}'`)];
  if (method === 'POST') parts.push("-d '{}'");
  return parts.join(' \\\n  ');
}

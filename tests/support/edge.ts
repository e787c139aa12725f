import type { Edge, OperatorRoutes, Routes } from '@/lib/http/edge/exchange';

const unexpected = () => Promise.reject(new Error('not expected in this test'));

/** What `given` does not contain fails if a request reaches it. */
export function edgeWith(given: Partial<Edge>): Edge {
  const none = new Proxy({}, { get: () => unexpected });
  const [routes, operatorRoutes] = [none as Routes, none as OperatorRoutes];
  return { next: unexpected, routes, operatorRoutes, trustedProxies: 0, inngest: false, draining: false, ...given };
}

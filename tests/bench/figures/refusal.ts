import { compare, getRequest, partnerRequest, type Side } from '../compare';
import type { Outcome } from '../figure';
import type { Stage } from '../stage';

/** Measures the cost of a 429 against that of a catalog page, as the time per request of a saturated server. */
export async function measureRefusal(stage: Stage): Promise<Outcome> {
  const { port } = await stage.serve();
  const page: Side = { label: 'GET /catalog', requests: [partnerRequest(stage, '/catalog')] };
  const headers = { Authorization: `Bearer ${stage.limitedKey}`, Accept: 'application/json' };
  const refused: Side = { label: '429', requests: [getRequest('/api/partner/v1/catalog', headers)], status: 429 };
  await spendQuota(port, headers);
  // The ratio of rates, page ÷ refused, is that of the times, refused ÷ page.
  return compare(stage, port, [page, refused]);
}

/** Uses the only request of the minute; the load expects the same status of every response. */
async function spendQuota(port: number, headers: Record<string, string>): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/partner/v1/catalog`, { headers });
  await response.arrayBuffer();
}

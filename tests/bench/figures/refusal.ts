import { compare, getRequest, partnerRequest, type Side } from '../compare';
import type { Outcome } from '../figure';
import type { Stage } from '../stage';

/** Compares the time that a saturated server needs for a 429 with the time that it needs for a catalog page. */
export async function measureRefusal(stage: Stage): Promise<Outcome> {
  const { port } = await stage.serve();
  const page: Side = { label: 'GET /catalog', requests: [partnerRequest(stage, '/catalog')] };
  const headers = { Authorization: `Bearer ${stage.limitedKey}`, Accept: 'application/json' };
  const refused: Side = { label: '429', requests: [getRequest('/api/partner/v1/catalog', headers)], status: 429 };
  await spendQuota(port, headers);
  // The rate of pages divided by the rate of refusals is the time of a refusal divided by the time of a page.
  return compare(stage, port, [page, refused]);
}

/** Sends the only request that the quota allows in this minute, so that every request of the load gets a 429. */
async function spendQuota(port: number, headers: Record<string, string>): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/partner/v1/catalog`, { headers });
  await response.arrayBuffer();
}

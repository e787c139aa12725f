import { orderOf, partnerRequest, rowOf } from '../compare';
import type { Outcome } from '../figure';
import type { LoadReport } from '../load/order';
import { median } from '../numbers';
import { sized } from '../size';
import type { Stage } from '../stage';

const ROUNDS = sized(3, 1);
const SECONDS = sized(4, 0.5);
const WARM_UP_SECONDS = sized(3, 0.5);

/**
 * The environment of a server that cannot open its LISTEN connection, because there is no database at
 * DIRECT_DATABASE_URL.
 */
const NOWHERE = { DIRECT_DATABASE_URL: 'postgresql://localhost:1/none', LOG_LEVEL: 'silent' };

/**
 * Measures the rate of catalog reads without a LISTEN connection. The value is this rate divided by the rate with a
 * LISTEN connection.
 */
export async function measureNoListener(stage: Stage): Promise<Outcome> {
  const side = { label: 'GET /catalog', requests: [partnerRequest(stage, '/catalog')] };
  const measure = async (environment: Record<string, string>) => {
    const { port } = await stage.serve({ environment });
    await stage.load(orderOf(port, side, { seconds: WARM_UP_SECONDS }));
    return stage.load(orderOf(port, side, { seconds: SECONDS }));
  };
  const without: LoadReport[] = [];
  const listening: LoadReport[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    without.push(await measure(NOWHERE));
    listening.push(await measure({}));
  }
  const rate = ({ requests, seconds }: LoadReport) => requests / seconds;
  const ratios = without.map((report, round) => rate(report) / rate(listening[round] ?? report));
  return {
    value: median(ratios),
    rows: [rowOf(`${side.label}, not listening`, without), rowOf(`${side.label}, listening`, listening)],
    notes: [`ratios of the rounds: ${ratios.map((ratio) => ratio.toFixed(3)).join(' ')}`],
  };
}

import { generateKey } from '@/lib/access/applications/key-format';
import { parseDirectory } from '@/lib/operations/cells/directory';
import { cellOfRequest } from '@/lib/operations/cells/route';
import type { Outcome } from '../figure';
import { median } from '../numbers';
import { sized } from '../size';

const CELLS = 100;
const TENANTS = 10_000;
/** Requests per round. */
const REQUESTS = sized(1_000_000, 50_000);
const ROUNDS = sized(11, 3);

const idOf = (index: number) => `c${String(index).padStart(3, '0')}`;

/**
 * Routes requests of 10,000 tenants to 100 cells. Each tenant has its own key. Returns the processor time per
 * request in microseconds.
 * @throws Error if a request reaches a cell that is not its tenant's cell.
 */
export async function measureRouting(): Promise<Outcome> {
  const ids = Array.from({ length: CELLS }, (_, index) => idOf(index));
  const servers = ids.map((id, index) => [id, { origin: `https://${id}.example`, servers: [`10.0.0.${index}:3000`] }]);
  const directory = parseDirectory(JSON.stringify({ home: ids[0], cells: Object.fromEntries(servers) }));
  const requests = Array.from({ length: TENANTS }, (_, tenant) => {
    const cell = idOf(tenant % CELLS);
    return { cell, authorization: `Bearer ${generateKey(cell)}` };
  });
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    let strays = 0;
    // The step and the number of tenants have no common divisor. Therefore, all tenants send requests, and consecutive
    // requests are from different tenants.
    for (let sent = 0; sent < REQUESTS; sent += 1) {
      const request = requests[(sent * 7_919) % TENANTS];
      if (request && cellOfRequest(directory, request.authorization).id !== request.cell) strays += 1;
    }
    if (strays > 0) throw new Error(`${strays} requests reached a wrong cell.`);
    costs.push(process.cpuUsage(before).user / REQUESTS);
  }
  const value = median(costs);
  return {
    value,
    rows: [],
    notes: [`${(1 / value).toFixed(1)} million requests per second of one core`],
  };
}

import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { CELL_ID } from '@/lib/platform/cell-id';
import { isId } from '@/lib/platform/ids';
import { StartError } from '@/lib/platform/postgres/start-error';

/** Maximum size of a cell directory in bytes. */
export const MAX_DIRECTORY = 16 * 1024 * 1024;
const MAX_CELLS = 1_000;
const MAX_TENANTS = 100_000;
const MAX_KEYS = 100_000;

const CELL = 'must be 4 lowercase letters or digits';
const cellId = boundedText(4, CELL).regex(CELL_ID, CELL);
const origin = boundedText(2_048)
  .check(z.url({ protocol: /^https?$/, message: 'must be an http or https origin', abort: true }))
  .refine((value) => new URL(value).origin === value, 'must be an origin without a path');
/**
 * A host name or IPv4 address, or an IPv6 address in brackets, with a port. The value becomes part of a proxy's
 * configuration, so the pattern allows only the characters of an address.
 */
const server = boundedText(260, 'must be host:port').regex(
  /^([a-z0-9.-]{1,253}|\[[0-9a-f:]{2,45}\]):\d{1,5}$/i,
  'must be host:port',
);

const tenantId = boundedText(30, 'must be the id of a tenant').refine(
  (id) => isId('ten', id),
  'must be the id of a tenant',
);

const KEY_START = 'must be the start of a key: pbk_test_ or pbk_live_, and 12 characters';
const keyStart = boundedText(21, KEY_START).regex(/^pbk_(test|live)_[0-9A-Za-z]{12}$/, KEY_START);

const schema = z
  .strictObject({
    /** The id of the cell that serves a request if its key contains no cell id, or if it has no valid key. */
    home: cellId,
    cells: z.record(cellId, z.strictObject({ origin, servers: z.array(server).min(1).max(64) })),
    /** For each tenant, the cell that serves its pages of the Control Center. */
    tenants: z.record(tenantId, cellId).default({}),
    /**
     * Maps the start of a key to the cell of the key. Contains only keys whose requests would otherwise go to a wrong
     * cell, such as a key of a moved tenant.
     */
    keys: z.record(keyStart, cellId).default({}),
  })
  .superRefine(({ home, cells, tenants, keys }, context) => {
    if (Object.keys(cells).length > MAX_CELLS)
      context.addIssue({ code: 'custom', path: ['cells'], message: `must have at most ${MAX_CELLS} cells` });
    if (Object.keys(tenants).length > MAX_TENANTS)
      context.addIssue({ code: 'custom', path: ['tenants'], message: `must have at most ${MAX_TENANTS} tenants` });
    if (Object.keys(keys).length > MAX_KEYS)
      context.addIssue({ code: 'custom', path: ['keys'], message: `must have at most ${MAX_KEYS} keys` });
    if (!cells[home]) context.addIssue({ code: 'custom', path: ['home'], message: 'must be one of the cells' });
    for (const [field, entries] of Object.entries({ tenants, keys })) {
      const stray = Object.entries(entries).find(([, cell]) => !cells[cell]);
      if (stray) context.addIssue({ code: 'custom', path: [field, stray[0]], message: 'must be one of the cells' });
    }
  });

/** A cell: the origin of its pages for owners, and the addresses of its instances. */
export type Cell = { id: string; origin: string; servers: readonly string[] };

/**
 * The parsed cell directory. It states which cell serves a key or a tenant. `keys` maps the first characters of a key
 * to the cell that serves it, but only for keys whose requests would go to a wrong cell without an entry. The
 * characters are in lowercase, because nginx compares them without regard to case.
 */
export type Directory = {
  home: Cell;
  cells: ReadonlyMap<string, Cell>;
  tenants: ReadonlyMap<string, Cell>;
  keys: ReadonlyMap<string, Cell>;
};

/**
 * Parses the text of a cell directory, which is JSON.
 * @throws StartError that names the invalid field, but not its value
 */
export function parseDirectory(text: string): Directory {
  if (Buffer.byteLength(text) > MAX_DIRECTORY) throw new StartError('The cell directory is larger than 16 MiB.');
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new StartError(
      `Invalid cell directory: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'is invalid'}.`,
    );
  }
  const { home, cells: given, tenants, keys } = parsed.data;
  const cells = new Map(Object.entries(given).map(([id, cell]) => [id, { id, ...cell }]));
  const cellOf = (id: string): Cell => {
    const cell = cells.get(id);
    if (!cell)
      throw new StartError('Invalid cell directory: each cell in home, tenants, and keys must also be in cells.');
    return cell;
  };
  return {
    home: cellOf(home),
    cells,
    tenants: new Map(Object.entries(tenants).map(([id, cell]) => [id, cellOf(cell)])),
    keys: new Map(Object.entries(keys).map(([start, cell]) => [start.toLowerCase(), cellOf(cell)])),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError('The cell directory is not valid JSON.');
  }
}

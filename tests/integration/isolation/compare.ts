import { expect } from 'vitest';
import { recordStatements, type Sent } from '@/tests/support/statements';
import { neutral, swapsOf, type Values, type World, type Worlds } from './world';

/** Sends a request as a tenant. `request` is JSON text. */
export type Call<Reply extends { body: string }> = (world: World, request: string) => Promise<Reply>;

/**
 * Matches statements that are not compared, because timing decides how often they are sent: statements of background
 * jobs, reads of cache versions (at most one per second), and timeouts that a write sets again after it has waited.
 */
const TIMED =
  /^\s*INSERT INTO (?:request_log|refused_calls)|UPDATE api_keys SET last_used_at|cache_versions|^SET LOCAL lock_timeout/;

/**
 * Returns the text and the result of a statement. Masks the parts of the text that differ between tenants and runs:
 * timeouts, the keys of advisory locks (hashes of ids), and the tenant's id in the setting `partner_booking.tenant`.
 */
function comparable({ text, result }: Sent): string {
  return `${text.replaceAll(/(?<=partner_booking\.tenant', ')\w+|-?\d{3,}/g, '…')}: ${result}`;
}

/**
 * Asserts that a tenant cannot distinguish another tenant's values from values that belong to no record. `birch` and
 * `beech` are two tenants with identical records. Both send the same requests in the same order, so that their records
 * remain identical. In each request, one or more of the tenant's own values are replaced: for `birch` by values that
 * belong to no record, and for `beech` by values of a third tenant. The two replies must be equal. The SQL statements
 * of the two requests and the numbers of rows in their results must also be equal. Equal statements prove that both
 * requests make the database do the same work. Measured times could only suggest this.
 * @param requests returns a tenant's requests, which contain the tenant's own values
 * @param marks texts that no reply may contain unless the request contained them
 */
export async function compareTwins<Reply extends { body: string }>(
  { birch, beech, other, unknown }: Worlds,
  requests: (world: World) => string[],
  marks: string[],
  call: Call<Reply>,
): Promise<void> {
  const make = async (world: World, request: string, sent: Values) => {
    const { result, sent: statements } = await recordStatements(() => call(world, request));
    const reply = { ...result, body: neutral(result.body, world.values, sent) };
    const compared = statements.filter(({ text }) => !TIMED.test(text)).map(comparable);
    return { raw: result.body, reply, statements: compared.sort() };
  };
  const twins = requests(beech);
  for (const [index, request] of requests(birch).entries()) {
    const foreign = swapsOf(twins[index] ?? '', beech.values, other.values);
    for (const [position, { what, text }] of swapsOf(request, birch.values, unknown).entries()) {
      const expected = await make(birch, text, unknown);
      const sent = foreign[position]?.text ?? '';
      const found = await make(beech, sent, other.values);
      expect(foreign[position]?.what).toBe(what);
      expect([what, found.reply]).toEqual([what, expected.reply]);
      expect([what, found.statements]).toEqual([what, expected.statements]);
      expect([what, ...marks.filter((mark) => !sent.includes(mark) && found.raw.includes(mark))]).toEqual([what]);
    }
  }
}

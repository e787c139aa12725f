/**
 * Bounds each application's work in flight. `begin` returns a function that ends the work. If the application has
 * reached its bound, `begin` returns null.
 */
export type Shares = { begin: (application: string, units: number) => (() => void) | null };

type Options = {
  /**
   * Upper limit on the work in flight, in units. The units of all applications together always stay below this limit.
   */
  capacity: number;
  /**
   * The bound of one application, as a fraction (0..1) of the free capacity. The free capacity is `capacity` minus all
   * units in flight.
   */
  share: number;
  /** Schedules a callback for the end of the event loop's current turn. Default: `setImmediate`. */
  defer?: (callback: () => void) => void;
};

/**
 * Bounds the work in flight, which is counted in units. The free capacity is `capacity` minus the units of all
 * applications. The units of one application must not exceed the fraction `share` of the free capacity. A single busy
 * application therefore gets `share` ÷ (1 + `share`) of the capacity. Each further busy application lowers the bound of
 * all applications. Some capacity always stays free for applications that have no work in flight yet.
 *
 * This rule is the dynamic threshold of A. K. Choudhury and E. L. Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", IEEE/ACM Transactions on Networking 6 (1998). Like CoDel (RFC 8289), the rule limits
 * how long accepted requests wait. Unlike CoDel, the rule does not measure time, so a slow machine alone does not cause
 * refusals.
 *
 * Work that has ended still counts until the end of the event loop's current turn. Thousands of requests can arrive in
 * one turn. If a request needs no query, its work ends before the next request is read. If ended work did not count,
 * all these requests would be handled before any other connection is read.
 */
export function createShares({ capacity, share, defer = setImmediate }: Options): Shares {
  const ofApplication = new Map<string, number>();
  let total = 0;
  let ended: [string, number][] = [];
  const settle = () => {
    for (const [application, units] of ended) {
      const left = (ofApplication.get(application) ?? 0) - units;
      if (left > 0) ofApplication.set(application, left);
      else ofApplication.delete(application);
      total -= units;
    }
    ended = [];
  };
  const begin = (application: string, units: number) => {
    const own = (ofApplication.get(application) ?? 0) + units;
    if (own > share * (capacity - total)) return null;
    ofApplication.set(application, own);
    total += units;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      if (ended.length === 0) defer(settle);
      ended.push([application, units]);
    };
  };
  return { begin };
}

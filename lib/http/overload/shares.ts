/**
 * Bounds the work in flight of each application. `begin` returns a function that ends the work, or null if the
 * application has reached its bound.
 */
export type Shares = { begin: (application: string, units: number) => (() => void) | null };

type Options = {
  /** Limit of the units in flight. All applications together approach it but never reach it. */
  capacity: number;
  /** The fraction (0..1) of the free capacity up to which one application may have work in flight. */
  share: number;
  /** Schedules a callback for the end of the event loop's current turn. Default: `setImmediate`. */
  defer?: (callback: () => void) => void;
};

/**
 * Bounds the work in flight. The units of one application may not exceed a fraction (`share`) of the free capacity,
 * which is the capacity minus the units of all applications. Therefore a single busy application gets share ÷ (1 +
 * share) of the capacity, and each further busy application lowers the bound of all. Some capacity always stays free
 * for applications that start to send requests.
 *
 * This is the dynamic threshold of A. K. Choudhury and E. L. Hahne, "Dynamic Queue Length Thresholds for Shared-Memory
 * Packet Switches", IEEE/ACM Transactions on Networking 6 (1998). Like CoDel (RFC 8289), it bounds the time that
 * accepted requests wait. Unlike CoDel, it does not measure time, so a slow machine alone does not cause refusals.
 *
 * Work that has ended still counts until the end of the event loop's turn. Otherwise, a response without a query would
 * end before the next request is read. Thousands of requests that arrive in one turn would then all be handled before
 * any other connection is read.
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

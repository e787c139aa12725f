/** `begin` returns a function that ends the work, or null if the application has reached its bound. */
export type Shares = { begin: (application: string, units: number) => (() => void) | null };

type Options = {
  /** Units. */
  capacity: number;
  /** Fraction (0..1) of the free capacity that one application may use. */
  share: number;
  /** Default: `setImmediate`. */
  defer?: (callback: () => void) => void;
};

/**
 * Bounds the units of work in flight. The free capacity is `capacity` minus the units of all applications. One
 * application is allowed to have the fraction `share` of the free capacity. A single busy application therefore gets
 * `share` ÷ (1 + `share`) of the capacity. Each further busy application lowers the bound of all applications. Some
 * capacity always stays free for other applications.
 *
 * This is the dynamic threshold of A. K. Choudhury and E. L. Hahne, "Dynamic Queue Length Thresholds for Shared-Memory
 * Packet Switches", IEEE/ACM Transactions on Networking 6 (1998). This method measures no time, so a slow machine alone
 * does not cause refusals.
 *
 * Ended work counts until the end of the event loop's turn. Otherwise, thousands of requests that need no database
 * query could arrive in one turn, and all of them would be handled before any other connection is read.
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

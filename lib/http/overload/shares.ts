/** The work of each application in flight, in units. */
export type Shares = { begin: (application: string, units: number) => (() => void) | null };

type Options = {
  /** Units of work that all applications together approach but never reach. */
  capacity: number;
  /** The part of the free capacity that one application may take, 0..1. */
  share: number;
  /** Calls its argument when the event loop has handled what arrived together. */
  defer?: (callback: () => void) => void;
};

/**
 * Bounds the work in flight. An application may have work in flight up to a part of the capacity that is free at that
 * moment: one alone gets share ÷ (1 + share) of the capacity, and each further busy application lowers the bound of all.
 * The capacity is never used up, so that there is room for one that was quiet. This is the dynamic threshold of A. K. Choudhury and
 * E. L. Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", IEEE/ACM Transactions on Networking
 * 6 (1998). Like CoDel (RFC 8289), it bounds the time that admitted work waits, but it needs no clock, so that a slow
 * machine alone refuses nothing.
 *
 * Work that has ended counts until the end of the event loop's turn. A response without a query would otherwise end
 * before the next request is read, and thousands that arrive together would be answered one after the other.
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

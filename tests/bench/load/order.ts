export type LoadOrder = {
  port: number;
  /**
   * Complete HTTP/1.1 requests as text. Each connection takes the next request from the list. After the last request,
   * the list is repeated.
   */
  requests: string[];
  /** Number of connections. Each has one request in flight. */
  connections: number;
  /** The run ends after `seconds` seconds or `count` requests, whichever comes first. */
  seconds?: number;
  count?: number;
  /** The expected status of every response. */
  status: number;
  /**
   * The status of a refusal. A response with this status is not counted in `requests`. The connection pauses before it
   * sends the next request.
   */
  refused?: number;
};

/** The result of a load. `p50`, `p95`, and `p99` are quantiles of the latency, in milliseconds. */
export type LoadReport = {
  /** Number of responses that are not refusals. */
  requests: number;
  /** Number of refusals: responses whose status is the value of `refused` in the order. */
  refusals: number;
  /** Seconds from the start of the run to the last response. */
  seconds: number;
  p50: number;
  p95: number;
  p99: number;
  /** Bytes of the last response body. */
  bodyBytes: number;
  /** Number of responses per unexpected status. */
  unexpected: Record<string, number>;
  /** Fraction of one processor that the load used, 0..1. */
  cpu: number;
};

export type LoadOrder = {
  port: number;
  /** Complete HTTP/1.1 requests as text, which all connections take in turn and which repeat. */
  requests: string[];
  /** Number of connections, with one request in flight each. */
  connections: number;
  /** The run ends after `seconds` seconds or `count` requests, whichever comes first. */
  seconds?: number;
  count?: number;
  /** The expected status of every response. */
  status: number;
  /** A status of a refusal, which does not count as a request and after which the connection pauses. */
  refused?: number;
};

/** Latencies are in milliseconds. */
export type LoadReport = {
  /** Number of responses, not counting refusals. */
  requests: number;
  /** Number of responses with the status `refused`. */
  refusals: number;
  /** From the start of the run to the last response. */
  seconds: number;
  p50: number;
  p95: number;
  p99: number;
  /** Bytes of the last response body. */
  bodyBytes: number;
  /** Number of responses per unexpected status. */
  unexpected: Record<string, number>;
  /** Share of one processor that the load used, 0..1. */
  cpu: number;
};

/** Parameters of one run of the load process. */
export type LoadOrder = {
  port: number;
  /**
   * Complete HTTP/1.1 requests as text. All connections take requests from this list. After the last request, they
   * start over with the first request.
   */
  requests: string[];
  /** Number of connections; each has one request in flight. */
  connections: number;
  /** The run ends after `seconds` seconds or `count` requests, whichever comes first. */
  seconds?: number;
  count?: number;
  /** The expected status of every response. */
  status: number;
  /**
   * A status that responses may also have. Such a response is a refusal: it does not count as a request, and its
   * connection pauses.
   */
  refused?: number;
};

/** Result of one run. Latencies are in milliseconds. */
export type LoadReport = {
  /** Number of responses, not counting refusals. */
  requests: number;
  /** Number of responses with the status `refused`. */
  refusals: number;
  /** Duration from the start of the run to the last response. */
  seconds: number;
  p50: number;
  p95: number;
  p99: number;
  /** Bytes of the last response body. */
  bodyBytes: number;
  /** Number of responses per unexpected status. */
  unexpected: Record<string, number>;
  /** Share of one processor that the load process used, 0..1. */
  cpu: number;
};

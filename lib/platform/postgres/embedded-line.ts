/**
 * The newest release of PostgreSQL in the major line of the embedded server, as known when this version was made, and the
 * end of the OpenSSL line that the server contains. A test compares `newest` with deploy/docker/compose.yaml.
 */
export const EMBEDDED_LINE = { newest: '18.6', end: '2023-09-11' } as const;

type Filter = { application?: string; key?: string; status?: string };

/** Returns the address of the Requests page, narrowed. */
export function requestsHref(filter: Filter): string {
  return `/requests?${new URLSearchParams(filter)}`;
}

/** Returns the address of one request. */
export function requestHref(requestId: string): string {
  return `/requests/${encodeURIComponent(requestId)}`;
}

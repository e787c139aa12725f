import type { Outputs } from '../../api-types';

/** A saved view of the member. */
export type Shown = Outputs['views']['list'][number];

/** Returns a page's URL with a view's filters. */
export function viewHref(page: 'requests' | 'bookings', { query }: Shown): string {
  const search = sorted(new URLSearchParams(query));
  return search === '' ? `/${page}` : `/${page}?${search}`;
}

/** Returns a URL's query string with sorted parameters, for comparing two query strings. */
export function searchOf(href: string): string {
  return sorted(new URLSearchParams(href.split('?')[1] ?? ''));
}

function sorted(params: URLSearchParams): string {
  params.sort();
  return params.toString();
}

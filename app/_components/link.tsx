'use client';

import NextLink from 'next/link';
import type { ComponentProps } from 'react';

/**
 * A link that loads its page on the click. Without `prefetch={false}`, Next.js would also send two requests in advance
 * for each visible link. These requests would not speed up the click: pages are rendered for each request, so the
 * responses would have no content.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}

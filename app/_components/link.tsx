'use client';

import NextLink from 'next/link';
import type { ComponentProps } from 'react';

/**
 * A link that loads its page on the click. Next.js would also send two requests per visible link in advance. Their
 * responses contain no content, because the pages are rendered for each request, so they would not speed up the click.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}

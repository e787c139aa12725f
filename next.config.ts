import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  // A path with a trailing slash is treated as an unknown route and is not redirected (contract B2).
  skipTrailingSlashRedirect: true,
  // Node must load native modules and modules with process-wide state. Next.js must not bundle them.
  serverExternalPackages: [
    'pg',
    'pino',
    'prom-client',
    '@node-rs/argon2',
    '@prisma/client',
    '@prisma/adapter-pg',
    'inngest',
    'ioredis',
    'rate-limiter-flexible',
  ],
  // Pages get compiled messages (`app/_components/messages.tsx`), so that no script contains the parser.
  turbopack: { resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
  // The image optimizer would request images from this server directly and so bypass the edge (`lib/http/edge`).
  images: { unoptimized: true },
  experimental: {
    optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@tabler/icons-react', 'use-intl'],
    // Loading all pages at the start takes 0.3 s of processor time and 30 MB in each process.
    preloadEntriesOnStart: false,
    // A server does not read source maps, and writing them takes a tenth of the processor time of a build.
    turbopackSourceMaps: process.env.NODE_ENV !== 'production',
    // Writing the cache takes a fifth of the processor time of a first build. Only later builds read the cache.
    turbopackFileSystemCacheForBuild: process.env.BUILD_CACHE !== 'off',
  },
  typescript: { ignoreBuildErrors: true },
};

export default config;

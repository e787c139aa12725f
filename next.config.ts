import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  // The contract knows no redirects (B2): a trailing slash is an unknown route.
  skipTrailingSlashRedirect: true,
  // Native modules and what must stay one instance are loaded by Node, not bundled.
  serverExternalPackages: [
    'pg',
    'pino',
    'prom-client',
    'rate-limiter-flexible',
    '@node-rs/argon2',
    '@prisma/client',
    '@prisma/adapter-pg',
    'inngest',
  ],
  // The optimizer would fetch our own routes from inside, past the edge.
  images: { unoptimized: true },
  experimental: { optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@tabler/icons-react'] },
  typescript: { ignoreBuildErrors: true },
};

export default config;

import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  // Redirects are not part of the contract (B2): a path with a trailing slash is an unknown route.
  skipTrailingSlashRedirect: true,
  // Native modules and modules with process-wide state must be loaded by Node, not bundled.
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
  // Disables the image optimizer, because it would request this app's own routes without passing through the edge.
  images: { unoptimized: true },
  experimental: { optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@tabler/icons-react'] },
  typescript: { ignoreBuildErrors: true },
};

export default config;

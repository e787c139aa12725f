// JavaScript, because Next compiles a TypeScript configuration at every start, for which it needs its native compiler.
/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Disables Next's redirect for paths with a trailing slash, because such a path is an unknown route (contract B2).
  skipTrailingSlashRedirect: true,
  // Native modules and modules with process-wide state must be loaded by Node, not bundled.
  serverExternalPackages: [
    'pg',
    'pino',
    'prom-client',
    '@node-rs/argon2',
    '@prisma/client',
    '@prisma/adapter-pg',
    'inngest',
  ],
  // Disables the image optimizer, because it would request images from this server without passing through the edge.
  images: { unoptimized: true },
  experimental: { optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@tabler/icons-react'] },
  typescript: { ignoreBuildErrors: true },
};

export default config;

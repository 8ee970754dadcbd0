/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // Types and lint are gates of `npm run check`; a start builds only what runs.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['@node-rs/argon2', 'pg', 'bullmq', 'pino', 'ioredis'],
  devIndicators: false,
  experimental: {
    // Loading every page and route before the first request more than doubles the time that a restart takes.
    preloadEntriesOnStart: false,
    // See scripts/service/build.ts.
    turbopackFileSystemCacheForBuild: process.env.BUILD_CACHE === '1',
    // A navigation that finds no server waits for it, instead of ending on the browser's error page.
    useOffline: true,
  },
};

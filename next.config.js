/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // Types and lint are gates of `npm run check`; a start builds only what runs.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['@node-rs/argon2', '@simplewebauthn/server', 'pg', 'bullmq', 'pino', 'ioredis'],
  devIndicators: false,
  turbopack: {
    // Messages are compiled on the server (app/messages.tsx), so no page needs the parser.
    resolveAlias: {
      'use-intl/format-message': 'use-intl/format-message/format-only',
      // Made by scripts/service/hls-builds.ts.
      'hls.js': './.build/player/hls-tracks.js',
      'hls.js/light': './.build/player/hls-light.js',
    },
  },
  experimental: {
    // Loading every page and route before the first request more than doubles the time that a restart takes.
    preloadEntriesOnStart: false,
    // See scripts/service/build.ts.
    turbopackFileSystemCacheForBuild: process.env.BUILD_CACHE === '1',
    // Fewer and larger files are smaller in sum: they are compressed one by one. In bytes before that and before minifying.
    turbopackChunking: { minChunkSize: 200_000 },
    // A navigation that finds no server waits for it, instead of ending on the browser's error page.
    useOffline: true,
  },
};

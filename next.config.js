/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` checks types and lint; a start only builds.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['@node-rs/argon2', '@simplewebauthn/server', 'pg', 'bullmq', 'pino', 'ioredis'],
  devIndicators: false,
  turbopack: {
    // Messages are compiled on the server (app/messages.tsx), so no page needs the parser.
    resolveAlias: {
      'use-intl/format-message': 'use-intl/format-message/format-only',
      // Builds of scripts/service/hls-builds.ts.
      'hls.js': './.build/player/hls-tracks.js',
      'hls.js/light': './.build/player/hls-light.js',
    },
  },
  experimental: {
    // Preloading every page and route would more than double the time of a restart.
    preloadEntriesOnStart: false,
    // scripts/service/build.ts sets BUILD_CACHE for rebuilds.
    turbopackFileSystemCacheForBuild: process.env.BUILD_CACHE === '1',
    // Bytes before minification and compression. Fewer, larger chunks compress better in total.
    turbopackChunking: { minChunkSize: 200_000 },
    // A navigation without a server waits for it instead of showing the browser's error page.
    useOffline: true,
  },
};

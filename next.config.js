/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // Types and lint are gates of `npm run check`; a start builds only what runs.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['@node-rs/argon2', 'pg', 'bullmq', 'pino', 'ioredis'],
  devIndicators: false,
  turbopack: {
    rules: { '**/hls.js/dist/hls.light.mjs': { loaders: ['./scripts/service/only-fmp4.mjs'] } },
  },
};

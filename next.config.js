import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const onlyFmp4 = './scripts/service/only-fmp4.mjs';
// The bundler keeps what a loader gave until its options change; it does not look whether the loader did.
const version = createHash('sha256')
  .update(readFileSync(new URL(onlyFmp4, import.meta.url)))
  .digest('hex');

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // Types and lint are gates of `npm run check`; a start builds only what runs.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['@node-rs/argon2', 'pg', 'bullmq', 'pino', 'ioredis'],
  devIndicators: false,
  // Loading every page and route before the first request more than doubles the time that a restart takes.
  experimental: { preloadEntriesOnStart: false },
  turbopack: {
    rules: { '**/hls.js/dist/hls.light.mjs': { loaders: [{ loader: onlyFmp4, options: { version } }] } },
  },
};

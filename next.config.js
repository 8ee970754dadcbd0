/** Plain protections for every page. A full policy with nonces needs a proxy and comes with it. */
const everywhere = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=(), usb=()' },
];

const policy = (ancestors) =>
  `base-uri 'self'; form-action 'self'; object-src 'none'; frame-ancestors ${ancestors}`;

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // Types and lint are gates of `npm run check`; a start builds only what runs.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['@node-rs/argon2', 'pg', 'bullmq', 'pino', 'ioredis'],
  devIndicators: false,
  headers: () => [
    // The API answers with headers of its own (lib/http).
    { source: '/((?!api/).*)', headers: everywhere },
    {
      // Nobody may put the dashboard into a frame and have a click land in it.
      source: '/((?!api/|embed/).*)',
      headers: [
        { key: 'X-Frame-Options', value: 'DENY' },
        { key: 'Content-Security-Policy', value: policy("'none'") },
      ],
    },
    // The bare player is made for frames on any site.
    { source: '/embed/:path*', headers: [{ key: 'Content-Security-Policy', value: policy('*') }] },
  ],
};

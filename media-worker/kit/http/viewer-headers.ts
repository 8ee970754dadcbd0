import { DAY_SECONDS } from '@/lib/core/units';
import { randomUUID } from 'node:crypto';
import type { Answer, Headers } from './answer';

/** Methods that viewers may use. */
export const viewerMethods = 'GET, HEAD, OPTIONS';

const exposedHeaders = 'Age, Content-Length, Content-Range, ETag, X-Ipfs-Path, X-Ipfs-Roots, X-Request-Id';

/** Headers of every response to a viewer. They let any site play. */
export const viewerHeaders = (): Headers => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': randomUUID(),
});

/**
 * Headers that players on other sites may send: conditions and ranges, playback tokens, and CMCD reports (Common Media
 * Client Data, CTA-5004 section 2).
 */
const acceptedHeaders = [
  ...['Range', 'If-Range', 'If-None-Match', 'Livepeer-Jwt', 'Livepeer-Access-Key'],
  ...['CMCD-Request', 'CMCD-Object', 'CMCD-Status', 'CMCD-Session'],
];

/** Response to an `OPTIONS` request. */
export const preflight: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': viewerMethods,
    'Access-Control-Allow-Headers': acceptedHeaders.join(', '),
    'Access-Control-Max-Age': DAY_SECONDS,
  },
};

/** Response to an `OPTIONS` request for player reports, without which browsers do not send `application/cmcd`. */
export const reportPreflight: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': DAY_SECONDS,
  },
};

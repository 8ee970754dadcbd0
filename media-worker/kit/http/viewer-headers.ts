import { daySeconds } from '@/lib/core/units';
import { randomUUID } from 'node:crypto';
import type { Answer, Headers } from './answer';

/** What viewers may send. */
export const viewerMethods = 'GET, HEAD, OPTIONS';

const readable = 'Age, Content-Length, Content-Range, ETag, X-Ipfs-Path, X-Ipfs-Roots, X-Request-Id';

/** Any site may play. */
export const viewerHeaders = (): Headers => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': readable,
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': randomUUID(),
});

/**
 * What players of other pages may send: conditions and ranges, what proves who may watch, and what players report to a CDN
 * (Common Media Client Data, CTA-5004 section 2).
 */
const acceptedHeaders = [
  ...['Range', 'If-Range', 'If-None-Match', 'Livepeer-Jwt', 'Livepeer-Access-Key'],
  ...['CMCD-Request', 'CMCD-Object', 'CMCD-Status', 'CMCD-Session'],
];

/** Of a request with `OPTIONS`. */
export const preflight: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': viewerMethods,
    'Access-Control-Allow-Headers': acceptedHeaders.join(', '),
    'Access-Control-Max-Age': daySeconds,
  },
};

/** The same where players send reports: `application/cmcd` is no type that a browser sends without asking. */
export const reportPreflight: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': daySeconds,
  },
};

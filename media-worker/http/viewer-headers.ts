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

/** Of a request with `OPTIONS`. */
export const preflight: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': viewerMethods,
    'Access-Control-Allow-Headers': 'Range, If-Range, If-None-Match, Livepeer-Jwt, Livepeer-Access-Key',
    'Access-Control-Max-Age': 86_400,
  },
};

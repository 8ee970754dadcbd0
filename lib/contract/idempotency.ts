import { z } from 'zod';
import type { Endpoint } from './define-endpoint';

/** Idempotency key, which the caller chooses. */
export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/** Request headers of endpoints that accept idempotency keys, for the OpenAPI document. */
export const idempotencyHeaders = z.object({
  'Idempotency-Key': idempotencyKey.exactOptional().meta({
    description:
      '1 to 255 visible ASCII characters that make the request safe to retry. For 24 hours, the same key and request return the same response, with the header `Idempotency-Replayed: true`, and nothing is created twice. 409 while the first request is running, 422 if the request differs. A request that fails releases its key.',
    example: '5f0c2a86-2d1e-4f9a-9d53-0a4c1e7b8d21',
  }),
});

/**
 * Whether an endpoint accepts idempotency keys. Every authenticated POST does, except those that reveal a secret: they
 * create nothing, and must check the password and write an audit log entry each time.
 */
export function acceptsIdempotencyKeys({ method, auth, rateLimit }: Endpoint): boolean {
  return method === 'POST' && auth !== 'public' && rateLimit !== 'reveal';
}

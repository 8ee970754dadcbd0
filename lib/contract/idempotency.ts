import { z } from 'zod';
import type { Endpoint } from './define-endpoint';

/** Chosen by the caller. */
export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/** For the description of the API. */
export const idempotencyHeaders = z.object({
  'Idempotency-Key': idempotencyKey.exactOptional().meta({
    description:
      '1 to 255 visible ASCII characters of your choice that make it safe to send the request again: for 24 hours the same key and request get the same answer, with the header `Idempotency-Replayed: true`, and nothing is made twice. 409 while the first one runs, 422 for another request. A refused request frees its key.',
    example: '5f0c2a86-2d1e-4f9a-9d53-0a4c1e7b8d21',
  }),
});

/**
 * Every POST of an account takes a key. Showing a secret is left out: it makes nothing, and each time must
 * be asked for with the password and be noted in the audit log.
 */
export function keepsAnswers({ method, auth, limit }: Endpoint): boolean {
  return method === 'POST' && auth !== 'public' && limit !== 'reveal';
}

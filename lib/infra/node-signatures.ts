import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock';
import type { Secrets } from './secrets';

/**
 * Requests between nodes carry an HMAC of what they ask for, under a key that is derived from APP_SECRET. Being in the
 * network of the nodes is therefore not enough to read a stream that has not been published, or to end one.
 */

export const nodeSignatureHeader = 'headwater-signature';

/** Content of a signature. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body?: Uint8Array;
}

export interface NodeSignatures {
  /** The value of the header. */
  sign(request: SignedRequest): string;
  /** Whether a node of this installation made the request within the last minute. A write is accepted once. */
  accepts(request: SignedRequest, signature: string | undefined): boolean;
}

/** Clocks of nodes may differ by this much. */
const windowMs = 60_000;
/** More writes than a node gets in that time. */
const maxWrites = 100_000;
const format = /^t=(\d{1,15}),n=([0-9a-f]{16}),s=([0-9a-f]{64})$/;

const purpose = 'requests between nodes';

export function createNodeSignatures(
  secrets: Pick<Secrets, 'sign' | 'verify'>,
  clock: Clock,
): NodeSignatures {
  // Created on first use: a process that only signs needs no cache.
  let acceptedNonces: LRUCache<string, true> | undefined;
  const contentOf = ({ method, path, body }: SignedRequest, time: string, nonce: string) => {
    const bodyHash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    return [time, nonce, method, path, bodyHash].join('\n');
  };
  return {
    sign(request) {
      const time = String(clock.now().getTime());
      const nonce = randomBytes(8).toString('hex');
      const signature = secrets.sign(purpose, contentOf(request, time, nonce)).toString('hex');
      return `t=${time},n=${nonce},s=${signature}`;
    },
    accepts(request, signature = '') {
      const [, time = '', nonce = '', signatureText = ''] = format.exec(signature) ?? [];
      if (!time || Math.abs(clock.now().getTime() - Number(time)) > windowMs) return false;
      if (!secrets.verify(purpose, contentOf(request, time, nonce), Buffer.from(signatureText, 'hex')))
        return false;
      if (request.method === 'GET' || request.method === 'HEAD') return true;
      acceptedNonces ??= new LRUCache({ max: maxWrites, ttl: 2 * windowMs });
      if (acceptedNonces.has(signatureText)) return false;
      acceptedNonces.set(signatureText, true);
      return true;
    },
  };
}

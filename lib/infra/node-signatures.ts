import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock';
import type { Secrets } from './secrets';

/**
 * Requests between nodes carry an HMAC of their content, under a key derived from APP_SECRET. Access to the network of the
 * nodes is therefore not enough to read a stream before it is published, or to end one.
 */

export const nodeSignatureHeader = 'headwater-signature';

export interface SignedRequest {
  /** URL of the process, as in its row; a path after it is ignored. */
  readonly receiver: string;
  readonly method: string;
  /** Path and query of the URL. */
  readonly path: string;
  readonly body?: Uint8Array;
}

export interface NodeSignatures {
  /** Creates the value of the signature header. */
  sign(request: SignedRequest): string;
  /**
   * Whether a node of this installation sent the request to `receiver`, the URL of this process, within the last minute. A
   * process accepts a write once.
   */
  accepts(request: SignedRequest, signature: string | undefined): boolean;
}

/** Maximum age of a signature, including the difference between the clocks of two nodes. */
const MAX_AGE_MS = 60_000;
/** Number of remembered writes; a process receives fewer while their signatures are valid. */
const MAX_WRITES = 100_000;
const signatureFormat = /^t=(\d{1,15}),n=([0-9a-f]{16}),s=([0-9a-f]{64})$/;

const purpose = 'requests between nodes';

export function createNodeSignatures(
  secrets: Pick<Secrets, 'sign' | 'verify'>,
  clock: Clock,
): NodeSignatures {
  // Created on first use, because a process that only signs needs no cache.
  let acceptedSignatures: LRUCache<string, true> | undefined;
  const contentOf = ({ receiver, method, path, body }: SignedRequest, time: string, nonce: string) => {
    const bodyHash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    return [time, nonce, new URL(receiver).origin, method, path, bodyHash].join('\n');
  };
  return {
    sign(request) {
      const time = String(clock.now().getTime());
      const nonce = randomBytes(8).toString('hex');
      const signature = secrets.sign(purpose, contentOf(request, time, nonce)).toString('hex');
      return `t=${time},n=${nonce},s=${signature}`;
    },
    accepts(request, signature = '') {
      const [, time = '', nonce = '', signatureText = ''] = signatureFormat.exec(signature) ?? [];
      if (!time || Math.abs(clock.now().getTime() - Number(time)) > MAX_AGE_MS) return false;
      if (!secrets.verify(purpose, contentOf(request, time, nonce), Buffer.from(signatureText, 'hex')))
        return false;
      if (request.method === 'GET' || request.method === 'HEAD') return true;
      // A signature is valid from a minute before its time to a minute after it, because clocks differ.
      acceptedSignatures ??= new LRUCache({ max: MAX_WRITES, ttl: 2 * MAX_AGE_MS });
      if (acceptedSignatures.has(signatureText)) return false;
      acceptedSignatures.set(signatureText, true);
      return true;
    },
  };
}

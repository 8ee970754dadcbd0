import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Returns a hash of address and user agent, 43 characters. */
export type ViewerHash = (request: IncomingMessage) => string;

/**
 * Creates a hash function for viewers. Its salt exists only in this process, so an address cannot be derived from
 * its hash.
 */
export function createViewerHash(addressOf: (request: IncomingMessage) => string): ViewerHash {
  const salt = randomBytes(32);
  return (request) => {
    const agent = request.headers['user-agent'] ?? '';
    return createHash('sha256')
      .update(salt)
      .update(`${addressOf(request)} ${agent}`)
      .digest('base64url');
  };
}

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** 43 characters for each address and user agent. */
export type ViewerHash = (request: IncomingMessage) => string;

/** The salt is known to this process alone and never stored, so nobody can find an address by its hash. */
export function hashViewers(addressOf: (request: IncomingMessage) => string): ViewerHash {
  const salt = randomBytes(32);
  return (request) => {
    const agent = request.headers['user-agent'] ?? '';
    return createHash('sha256')
      .update(salt)
      .update(`${addressOf(request)} ${agent}`)
      .digest('base64url');
  };
}

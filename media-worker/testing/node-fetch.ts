import { systemClock } from '@/lib/infra/clock';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import type { Secrets } from '@/lib/infra/secrets';

/** Creates a function that sends GET requests to live and jobs processes, signed like those of other nodes. */
export function createNodeFetch(secrets: Secrets): (url: string, signal?: AbortSignal) => Promise<Response> {
  const signatures = createNodeSignatures(secrets, systemClock);
  return (url, signal) => {
    const { pathname, search } = new URL(url);
    const signedRequest = { receiver: url, method: 'GET', path: pathname + search };
    const headers = { [nodeSignatureHeader]: signatures.sign(signedRequest) };
    return fetch(url, { headers, ...(signal ? { signal } : {}) });
  };
}

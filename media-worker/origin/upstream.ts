import { Agent, get, type IncomingMessage } from 'node:http';

export interface UpstreamAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** `unreachable`: no connection, or it broke. `timeout`: no whole answer in time. `too_large`: more than anything we serve. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  constructor(readonly kind: 'unreachable' | 'timeout' | 'too_large') {
    super(`The live node is ${kind}`);
  }
}

export type FetchUpstream = (url: string) => Promise<UpstreamAnswer>;

const mostBytes = 96 * 1024 * 1024;

/**
 * Requests to live nodes over kept-alive connections.
 * @param timeoutMs for the whole answer, waiting for a free connection included
 */
export function createUpstream({ timeoutMs = 5_000 } = {}): { fetch: FetchUpstream; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 128, maxFreeSockets: 32, scheduling: 'lifo' });
  const fetch: FetchUpstream = (url) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const fail = () => reject(new UpstreamError(signal.aborted ? 'timeout' : 'unreachable'));
      const request = get(url, { agent, signal }, (response) => {
        collect(response).then((body) => resolve({ status: response.statusCode ?? 502, body }), reject);
        response.on('error', fail);
        response.on('aborted', fail);
      });
      request.on('error', fail);
    });
  return { fetch, close: () => agent.destroy() };
}

function collect(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
      else {
        reject(new UpstreamError('too_large'));
        response.destroy();
      }
    });
    response.on('end', () => resolve(Buffer.concat(chunks, bytes)));
  });
}

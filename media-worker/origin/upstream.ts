import { Agent, get, type IncomingMessage } from 'node:http';
import { mediaSecondsHeader } from '../hls-path';

export interface UpstreamAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** How long the media in it lasts, seconds. */
  readonly seconds?: number;
}

/** `unreachable`: no connection, or it broke. `timeout`: no whole answer in time. `too_large`: more than anything we serve. `busy`: too many are waiting. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  constructor(readonly kind: 'unreachable' | 'timeout' | 'too_large' | 'busy') {
    super(`The live node is ${kind}`);
  }
}

/** `held`: the node answers when what was asked for is there (low-latency HLS), or says that it did not come. */
export type FetchUpstream = (url: string, options?: { readonly held?: boolean }) => Promise<UpstreamAnswer>;

const mostBytes = 96 * 1024 * 1024;

/**
 * Requests to live nodes over kept-alive connections.
 * @param timeoutMs for the whole answer, waiting for a free connection included; `heldMs` for answers that are held
 */
export function createUpstream({ timeoutMs = 5_000, heldMs = 45_000 } = {}): {
  fetch: FetchUpstream;
  close(): void;
} {
  const agentWith = (maxSockets: number) =>
    new Agent({ keepAlive: true, maxSockets, maxFreeSockets: 32, scheduling: 'lifo' });
  // Of their own, so that requests which are held back never keep others waiting.
  const [agent, heldAgent] = [agentWith(500), agentWith(1_000)];
  const fetch: FetchUpstream = (url, { held = false } = {}) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(held ? heldMs : timeoutMs);
      const fail = () => reject(new UpstreamError(signal.aborted ? 'timeout' : 'unreachable'));
      const request = get(url, { agent: held ? heldAgent : agent, signal }, (response) => {
        const seconds = Number(response.headers[mediaSecondsHeader] ?? 0);
        const status = response.statusCode ?? 502;
        collect(response).then((body) => resolve({ status, body, seconds }), reject);
        response.on('error', fail);
        response.on('aborted', fail);
      });
      request.on('error', fail);
    });
  const close = () => {
    agent.destroy();
    heldAgent.destroy();
  };
  return { fetch, close };
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

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { PullFinding } from '@/lib/core/streams/pull/pull-finding';
import type { RtspSource } from '@/lib/core/streams/pull/pull-source';
import { createAuthorization } from './rtsp-authorization';
import {
  readHeaderValues,
  RtspFault,
  type RtspItem,
  type RtspMessage,
  RtspReader,
  statusOf,
  writeMessage,
} from './rtsp-messages';

/** A port on the loopback interface through which ffmpeg reaches an RTSP server, over an existing connection. */
export interface RtspRelay {
  /** URL of the source at this port, for ffmpeg. */
  readonly url: string;
  /** The reason why the source rejected the pull; null if it has not. */
  readonly finding: PullFinding | null;
  /** Whether the source closed or broke the connection. */
  readonly isLost: boolean;
  /** Closes both connections. Idempotent. */
  close(): void;
}

/** Maximum number of pending requests. ffmpeg waits for each response, apart from a few keep-alive requests. */
const MAX_OPEN_REQUESTS = 16;

interface OpenRequest {
  readonly method: string;
  readonly uri: string;
  readonly message: RtspMessage;
  readonly isAuthorized: boolean;
}

/**
 * Opens a relay. ffmpeg would follow RTSP redirects without the egress policy, so every message passes through
 * this process, and a redirect ends the pull. User name and password stay in this process. Requests contain the
 * address of the source, not that of the relay.
 */
export async function openRtspRelay(sourceSocket: Socket, source: RtspSource): Promise<RtspRelay> {
  const relay = new Relay(sourceSocket, source);
  await relay.listen();
  return relay;
}

class Relay implements RtspRelay {
  readonly #sourceSocket: Socket;
  readonly #source: RtspSource;
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #openRequests = new Map<string, OpenRequest>();
  #ffmpegSocket: Socket | null = null;
  #challenges: readonly string[] = [];
  #address = '';
  #isClosed = false;
  isLost = false;
  finding: PullFinding | null = null;

  constructor(sourceSocket: Socket, source: RtspSource) {
    this.#sourceSocket = sourceSocket;
    this.#source = source;
    sourceSocket.setNoDelay(true);
    const onLost = () => {
      if (!this.#isClosed) this.isLost = true;
      this.#ffmpegSocket?.end();
    };
    sourceSocket.on('error', onLost);
    sourceSocket.once('close', onLost);
  }

  get url(): string {
    const { pathname, search } = new URL(this.#source.url.replace(/^rtsp:/, 'http:'));
    return `rtsp://${this.#address}${pathname}${search}`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#address = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#isClosed = true;
    this.#server.close();
    this.#ffmpegSocket?.destroy();
    this.#sourceSocket.destroy();
  }

  #accept(ffmpegSocket: Socket): void {
    this.#server.close();
    this.#ffmpegSocket = ffmpegSocket;
    ffmpegSocket.on('error', () => undefined);
    ffmpegSocket.once('close', () => this.close());
    this.#forward(ffmpegSocket, this.#sourceSocket, (message) => this.#onRequest(message));
    this.#forward(this.#sourceSocket, ffmpegSocket, (message) => this.#onResponse(message));
    if (this.#sourceSocket.destroyed) ffmpegSocket.end();
  }

  /** Passes frames unchanged, and hands messages to `onMessage`. */
  #forward(fromSocket: Socket, toSocket: Socket, onMessage: (message: RtspMessage) => void): void {
    const reader = new RtspReader();
    const forwardItem = (item: RtspItem) => {
      if (item.kind === 'message') onMessage(item.message);
      else if (!toSocket.write(item.bytes)) {
        fromSocket.pause();
        toSocket.once('drain', () => fromSocket.resume());
      }
    };
    fromSocket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk).forEach(forwardItem);
      } catch (error) {
        if (!(error instanceof RtspFault)) throw error;
        this.finding ??= { outcome: 'not_readable', detail: error.message };
        this.close();
      }
    });
  }

  #onRequest(message: RtspMessage): void {
    const [, method = '', url = ''] = /^([A-Z_]+) (\S+) RTSP\/1\.0$/.exec(message.startLine) ?? [];
    // The sequence number of a request, which its response repeats (RFC 2326 §12.17).
    const [cseq] = readHeaderValues(message, 'cseq');
    // Responses of ffmpeg to requests of the source are dropped, because such requests are not forwarded.
    if (method === '' || cseq === undefined || this.#openRequests.size >= MAX_OPEN_REQUESTS) return;
    const relayUrl = `rtsp://${this.#address}`;
    const { host, port } = this.#source;
    const uri = url.startsWith(relayUrl) ? `rtsp://${host}:${port}${url.slice(relayUrl.length)}` : url;
    this.#send(cseq, { method, uri, message, isAuthorized: this.#challenges.length > 0 });
  }

  #send(cseq: string, request: OpenRequest): void {
    const { method, uri, message } = request;
    const { credentials } = this.#source;
    const authorization = credentials && createAuthorization(this.#challenges, credentials, request);
    const headers = authorization
      ? [...message.headers, ['Authorization', authorization] as const]
      : message.headers;
    this.#openRequests.set(cseq, request);
    this.#sourceSocket.write(writeMessage({ ...message, headers, startLine: `${method} ${uri} RTSP/1.0` }));
  }

  #onResponse(message: RtspMessage): void {
    const status = statusOf(message);
    // Requests of the source are dropped, because a client needs none of them.
    if (status === null) return;
    const [cseq = ''] = readHeaderValues(message, 'cseq');
    const request = this.#openRequests.get(cseq);
    this.#openRequests.delete(cseq);
    if (status === 401 && request && this.#retryAuthorized(cseq, request, message)) return;
    const finding = findingOfStatus(status);
    if (finding) this.finding ??= finding;
    if (finding?.outcome === 'redirected') this.close();
    else this.#ffmpegSocket?.write(writeMessage(message));
  }

  /**
   * Sends a rejected request again with credentials, once per request: a repeated challenge means that the
   * credentials are wrong, unless its nonce is stale.
   * @returns whether the request was sent again
   */
  #retryAuthorized(cseq: string, request: OpenRequest, message: RtspMessage): boolean {
    const challenges = readHeaderValues(message, 'www-authenticate');
    const { credentials } = this.#source;
    const isStale = challenges.some((challenge) => /stale="?true/i.test(challenge));
    if (!credentials || challenges.length === 0 || (request.isAuthorized && !isStale)) return false;
    this.#challenges = challenges;
    this.#send(cseq, { ...request, isAuthorized: true });
    return true;
  }
}

function findingOfStatus(status: number): PullFinding | null {
  if (status >= 300 && status < 400) return { outcome: 'redirected' };
  if (status === 404 || status === 410) return { outcome: 'not_found' };
  return status === 401 || status === 403 ? { outcome: 'rejected', detail: `RTSP ${status}` } : null;
}

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { PullFinding } from '@/lib/core/streams/pull/pull-finding';
import type { RtspSource } from '@/lib/core/streams/pull/pull-source';
import { authorizationFor } from './rtsp-authorization';
import {
  headersNamed,
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
  /** Why the source rejected the pull; null if it has not. */
  readonly finding: PullFinding | null;
  /** Whether the source closed or broke the connection. */
  readonly lost: boolean;
  /** Closes both connections. Idempotent. */
  close(): void;
}

/** Maximum number of unanswered requests: ffmpeg waits for each answer, and a few keep-alive requests run beside it. */
const MAX_OPEN_REQUESTS = 16;

interface OpenRequest {
  readonly method: string;
  readonly uri: string;
  readonly message: RtspMessage;
  readonly isAuthorized: boolean;
}

/**
 * Opens a relay. ffmpeg follows RTSP redirects on its own, past the egress policy, so each message passes through
 * this process: redirects end the pull. User name and password stay in this process, and the source sees its own
 * address in the requests.
 */
export async function openRtspRelay(far: Socket, source: RtspSource): Promise<RtspRelay> {
  const relay = new Relay(far, source);
  await relay.listen();
  return relay;
}

class Relay implements RtspRelay {
  readonly #far: Socket;
  readonly #source: RtspSource;
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #open = new Map<string, OpenRequest>();
  #near: Socket | null = null;
  #challenges: readonly string[] = [];
  #address = '';
  #isClosed = false;
  lost = false;
  finding: PullFinding | null = null;

  constructor(far: Socket, source: RtspSource) {
    this.#far = far;
    this.#source = source;
    far.setNoDelay(true);
    const lose = () => {
      if (!this.#isClosed) this.lost = true;
      this.#near?.end();
    };
    far.on('error', lose);
    far.once('close', lose);
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
    this.#near?.destroy();
    this.#far.destroy();
  }

  #accept(near: Socket): void {
    this.#server.close();
    this.#near = near;
    near.on('error', () => undefined);
    near.once('close', () => this.close());
    this.#carry(near, this.#far, (message) => this.#onRequest(message));
    this.#carry(this.#far, near, (message) => this.#onAnswer(message));
    if (this.#far.destroyed) near.end();
  }

  /** Passes frames unchanged, and hands messages to `onMessage`. */
  #carry(from: Socket, to: Socket, onMessage: (message: RtspMessage) => void): void {
    const reader = new RtspReader();
    const take = (item: RtspItem) => {
      if (item.kind === 'message') onMessage(item.message);
      else if (!to.write(item.bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    };
    from.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk).forEach(take);
      } catch (error) {
        if (!(error instanceof RtspFault)) throw error;
        this.finding ??= { outcome: 'not_readable', detail: error.message };
        this.close();
      }
    });
  }

  #onRequest(message: RtspMessage): void {
    const [, method = '', url = ''] = /^([A-Z_]+) (\S+) RTSP\/1\.0$/.exec(message.start) ?? [];
    const [number] = headersNamed(message, 'cseq');
    // ffmpeg's answers to requests of the source are dropped, because the requests are not forwarded.
    if (method === '' || number === undefined || this.#open.size >= MAX_OPEN_REQUESTS) return;
    const relayUrl = `rtsp://${this.#address}`;
    const { host, port } = this.#source;
    const uri = url.startsWith(relayUrl) ? `rtsp://${host}:${port}${url.slice(relayUrl.length)}` : url;
    this.#send(number, { method, uri, message, isAuthorized: this.#challenges.length > 0 });
  }

  #send(number: string, request: OpenRequest): void {
    const { method, uri, message } = request;
    const { credentials } = this.#source;
    const value = credentials && authorizationFor(this.#challenges, credentials, request);
    const headers = value ? [...message.headers, ['Authorization', value] as const] : message.headers;
    this.#open.set(number, request);
    this.#far.write(writeMessage({ ...message, headers, start: `${method} ${uri} RTSP/1.0` }));
  }

  #onAnswer(message: RtspMessage): void {
    const status = statusOf(message);
    // Requests of the source are dropped: a viewer needs none of them.
    if (status === null) return;
    const [number = ''] = headersNamed(message, 'cseq');
    const request = this.#open.get(number);
    this.#open.delete(number);
    if (status === 401 && request && this.#retries(number, request, message)) return;
    const finding = findingOf(status);
    if (finding) this.finding ??= finding;
    if (finding?.outcome === 'redirected') this.close();
    else this.#near?.write(writeMessage(message));
  }

  /** Authorizes each request once: a repeated challenge means wrong credentials, unless its nonce is stale. */
  #retries(number: string, request: OpenRequest, message: RtspMessage): boolean {
    const challenges = headersNamed(message, 'www-authenticate');
    const { credentials } = this.#source;
    const isStale = challenges.some((each) => /stale="?true/i.test(each));
    if (!credentials || challenges.length === 0 || (request.isAuthorized && !isStale)) return false;
    this.#challenges = challenges;
    this.#send(number, { ...request, isAuthorized: true });
    return true;
  }
}

function findingOf(status: number): PullFinding | null {
  if (status >= 300 && status < 400) return { outcome: 'redirected' };
  if (status === 404 || status === 410) return { outcome: 'not_found' };
  return status === 401 || status === 403 ? { outcome: 'rejected', detail: `RTSP ${status}` } : null;
}

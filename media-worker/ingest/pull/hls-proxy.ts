import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { defined } from '@/lib/core/defined';
import { readUrl } from '@/lib/core/read-url';
import type { PullFinding } from '@/lib/core/streams/pull/pull-finding';
import type { HttpSource } from '@/lib/core/streams/pull/pull-source';
import { isPlaylist, PlaylistFault, rewritePlaylist } from '@/lib/core/streams/pull/rewrite-playlist';
import type { Egress, EgressReply } from '@/lib/infra/egress/egress';
import { EgressError } from '@/lib/infra/egress/egress-redirect';
import { newId } from '@/lib/infra/ids';
import { findingOfEgress } from './find-fault';

/** A proxy on the loopback interface through which ffmpeg reaches one HTTP source and no other address. */
export interface HlsProxy {
  /** URL for ffmpeg, with `proxy` as its HTTP proxy. */
  readonly url: string;
  readonly proxy: string;
  /** Why the last request for the source or one of its playlists failed; null if it succeeded. */
  readonly finding: PullFinding | null;
  /** Idempotent. */
  close(): void;
}

interface HlsProxyOptions {
  readonly egress: Egress;
  readonly source: HttpSource;
  /** Headers sent only to the host of the source. Secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A host name that cannot exist on the internet (RFC 2606). */
const HOST = 'pull.invalid';
const MAX_ADDRESSES = 50_000;
const MAX_CONNECTIONS = 16;
const MAX_PLAYLIST_BYTES = 1024 * 1024;
const MAX_FILE_BYTES = 1024 ** 3;
const MAX_REDIRECTS = 5;
const LIMITS = { headersTimeoutMs: 10_000, idleTimeoutMs: 15_000, maxRedirects: MAX_REDIRECTS } as const;
const FILE_MS = 60_000;
/** Timeout of the source itself, which may be an endless response. */
const ENDLESS_MS = 2 ** 31 - 1;
const HEAD_BYTES = 16;
const SOURCE = 0;
const PASSED_HEADERS = ['content-length', 'content-range', 'accept-ranges', 'content-type'] as const;

export async function openHlsProxy(options: HlsProxyOptions): Promise<HlsProxy> {
  const proxy = new Proxy(options);
  await proxy.listen();
  return proxy;
}

/** The newest URLs by number. The limit is above the number of URLs in one playlist. */
class Addresses {
  readonly #byNumber = new Map<number, string>();
  readonly #numbers = new Map<string, number>();
  #next = SOURCE;

  numberOf(url: string): number {
    const existing = this.#numbers.get(url);
    if (existing !== undefined) return existing;
    const number = this.#next++;
    this.#numbers.set(url, number);
    this.#byNumber.set(number, url);
    // The source itself is never removed.
    const oldest = number - MAX_ADDRESSES;
    const oldestUrl = oldest > SOURCE ? this.#byNumber.get(oldest) : undefined;
    if (oldestUrl !== undefined) {
      this.#byNumber.delete(oldest);
      this.#numbers.delete(oldestUrl);
    }
    return number;
  }

  urlOf(number: number): string | undefined {
    return this.#byNumber.get(number);
  }
}

class Proxy implements HlsProxy {
  readonly #options: HlsProxyOptions;
  readonly #addresses = new Addresses();
  readonly #server: Server;
  readonly #closing = new AbortController();
  /** Id that keeps connections of this proxy separate from all others. */
  readonly #connectionKey = newId();
  readonly url: string;
  proxy = '';
  finding: PullFinding | null = null;

  constructor(options: HlsProxyOptions) {
    this.#options = options;
    this.#addresses.numberOf(options.source.url);
    // ffmpeg detects a playlist by its file extension.
    this.url = `http://${HOST}/${SOURCE}.m3u8`;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.proxy = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#closing.abort();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const target = this.#targetOf(request);
    if (!target) {
      response.writeHead(403).end();
      return;
    }
    try {
      await this.#pass(target, request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
      if (!this.#closing.signal.aborted) this.#failed(target, error);
    }
  }

  /** The URL for a request; null for a URL that no playlist contained. ffmpeg has no other way to the network. */
  #targetOf({ method, url = '' }: IncomingMessage): { readonly number: number; readonly url: string } | null {
    const address = readUrl(url);
    const [, number = ''] = /^\/(\d{1,9})\.[a-z\d]{1,5}$/.exec(address?.pathname ?? '') ?? [];
    if (method !== 'GET' || address?.host !== HOST || number === '') return null;
    const known = this.#addresses.urlOf(Number(number));
    return known === undefined ? null : { number: Number(number), url: known };
  }

  async #pass(
    { number, url }: { readonly number: number; readonly url: string },
    { headers: { range } }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { egress, source, headers } = this.#options;
    const isOwn = new URL(url).origin === new URL(source.url).origin;
    const reply = await egress.fetch(url, {
      ...LIMITS,
      headers: { ...(isOwn ? headers : {}), ...defined({ range }) },
      timeoutMs: number === SOURCE ? ENDLESS_MS : FILE_MS,
      maxReplyBytes: number === SOURCE ? Infinity : MAX_FILE_BYTES,
      keep: this.#connectionKey,
      signal: this.#closing.signal,
    });
    if (reply.status !== 200 && reply.status !== 206) {
      reply.body.destroy();
      if (number === SOURCE || /\.m3u8$/.test(new URL(url).pathname))
        this.finding = findingOfStatus(reply.status);
      response.writeHead(reply.status).end();
      return;
    }
    const { head, rest } = await readHead(reply.body);
    if (isPlaylist(head.toString('utf8'))) {
      const playlist = await this.#playlist(reply, head, rest);
      this.finding = null;
      response.writeHead(200, { 'Content-Type': 'application/vnd.apple.mpegurl' }).end(playlist);
      return;
    }
    if (number === SOURCE) this.finding = null;
    response.writeHead(reply.status, passedHeaders(reply));
    response.write(head);
    await pipeline(rest, response);
  }

  async #playlist({ url }: EgressReply, head: Buffer, rest: Readable): Promise<string> {
    const chunks = [head];
    let length = head.length;
    for await (const chunk of rest as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_PLAYLIST_BYTES) throw new PlaylistFault('its playlist is longer than 1 MB');
    }
    return rewritePlaylist(Buffer.concat(chunks).toString('utf8'), url, (address) =>
      this.#addressOf(address),
    );
  }

  #addressOf(url: string): string {
    // ffmpeg detects formats by file extensions.
    const [ending = '.ts'] =
      /\.(m3u8|ts|m4s|mp4|m4a|m4v|aac|mp3|ac3|ec3|key)$/.exec(new URL(url).pathname) ?? [];
    return `http://${HOST}/${this.#addresses.numberOf(url)}${ending}`;
  }

  #failed({ number }: { readonly number: number }, error: unknown): void {
    const { source } = this.#options;
    if (error instanceof PlaylistFault) this.finding = { outcome: 'not_readable', detail: error.message };
    else if (number === SOURCE && error instanceof EgressError) this.finding = findingOfEgress(error, source);
  }
}

function findingOfStatus(status: number): PullFinding {
  if (status === 404 || status === 410) return { outcome: 'not_found' };
  return { outcome: 'rejected', detail: `HTTP ${status}` };
}

function passedHeaders({ headers }: EgressReply): Record<string, string> {
  const headersToPass: Record<string, string> = {};
  for (const name of PASSED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') headersToPass[name] = value;
  }
  return headersToPass;
}

/** Reads enough bytes to detect the type of a response. @returns these bytes, and the unread rest */
async function readHead(body: Readable): Promise<{ readonly head: Buffer; readonly rest: Readable }> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const chunk = body.read() as Buffer | null;
    if (chunk !== null) {
      chunks.push(chunk);
      length += chunk.length;
    } else if (body.readableEnded || body.destroyed) break;
    else await Promise.race([once(body, 'readable'), once(body, 'end')]);
  }
  return { head: Buffer.concat(chunks), rest: body };
}

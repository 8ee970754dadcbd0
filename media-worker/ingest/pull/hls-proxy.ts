import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { readUrl } from '@/lib/core/read-url';
import type { PullFinding } from '@/lib/core/streams/pull/pull-finding';
import type { HttpSource } from '@/lib/core/streams/pull/pull-source';
import { isPlaylist, PlaylistError, rewritePlaylist } from '@/lib/core/streams/pull/rewrite-playlist';
import type { Egress, EgressReply } from '@/lib/infra/egress/egress';
import { EgressError } from '@/lib/infra/egress/egress-error';
import { newId } from '@/lib/infra/ids';
import { findingOfEgress } from './find-fault';

/**
 * A proxy on the loopback interface through which ffmpeg reaches one HTTP source and the URLs in its playlists,
 * but no other URL.
 */
export interface HlsProxy {
  /** URL of the source for ffmpeg, which must use the HTTP proxy at `proxyUrl`. */
  readonly url: string;
  readonly proxyUrl: string;
  /** The reason why the last request for the source or a playlist failed; null if it succeeded. */
  readonly finding: PullFinding | null;
  /** Closes the proxy. Idempotent. */
  close(): void;
}

interface HlsProxyOptions {
  readonly egress: Egress;
  readonly source: HttpSource;
  /** Secret headers, which are sent only to the origin of the source. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A host name that cannot exist on the internet (RFC 2606). */
const PROXY_HOST = 'pull.invalid';
/** Maximum number of URLs that ffmpeg can request. */
const MAX_URLS = 50_000;
const MAX_CONNECTIONS = 16;
const MAX_PLAYLIST_BYTES = 1024 * 1024;
const MAX_FILE_BYTES = 1024 ** 3;
const MAX_REDIRECTS = 5;
const FETCH_LIMITS = {
  headersTimeoutMs: 10_000,
  idleTimeoutMs: 15_000,
  maxRedirects: MAX_REDIRECTS,
} as const;
const FILE_TIMEOUT_MS = 60_000;
/** Timeout of the response of the source, which may be endless: the longest delay of a timer. */
const SOURCE_TIMEOUT_MS = 2 ** 31 - 1;
/** Bytes from which a playlist is detected. */
const DETECTED_BYTES = 16;
/** Number of the source among the URLs. */
const SOURCE_NUMBER = 0;
const PASSED_HEADERS = ['content-length', 'content-range', 'accept-ranges', 'content-type'] as const;

/** Opens a proxy for an HTTP source, which may be a playlist or a media file. */
export async function openHlsProxy(options: HlsProxyOptions): Promise<HlsProxy> {
  const proxy = new SourceProxy(options);
  await proxy.listen();
  return proxy;
}

/** The newest URLs, each with a number. The maximum is larger than the number of URLs in one playlist. */
class NumberedUrls {
  readonly #byNumber = new Map<number, string>();
  readonly #numbers = new Map<string, number>();
  #nextNumber = SOURCE_NUMBER;

  /** The number of a URL, which is assigned to a new one. */
  assignNumber(url: string): number {
    const existing = this.#numbers.get(url);
    if (existing !== undefined) return existing;
    const number = this.#nextNumber++;
    this.#numbers.set(url, number);
    this.#byNumber.set(number, url);
    // The source itself is never removed.
    const oldest = number - MAX_URLS;
    const oldestUrl = oldest > SOURCE_NUMBER ? this.#byNumber.get(oldest) : undefined;
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

class SourceProxy implements HlsProxy {
  readonly #options: HlsProxyOptions;
  readonly #urls = new NumberedUrls();
  readonly #server: Server;
  readonly #closing = new AbortController();
  /** Id that keeps connections of this proxy separate from all others. */
  readonly #connectionKey = newId();
  readonly url: string;
  proxyUrl = '';
  finding: PullFinding | null = null;

  constructor(options: HlsProxyOptions) {
    this.#options = options;
    this.#urls.assignNumber(options.source.url);
    // ffmpeg detects a playlist by its file extension.
    this.url = `http://${PROXY_HOST}/${SOURCE_NUMBER}.m3u8`;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.proxyUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
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
      await this.#forward(target, request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
      if (!this.#closing.signal.aborted) this.#recordFailure(target, error);
    }
  }

  /**
   * The URL that a request of ffmpeg stands for; null if no playlist contained it. ffmpeg has no other access to the
   * network.
   */
  #targetOf({ method, url = '' }: IncomingMessage): { readonly number: number; readonly url: string } | null {
    const requestUrl = readUrl(url);
    const [, number = ''] = /^\/(\d{1,9})\.[a-z\d]{1,5}$/.exec(requestUrl?.pathname ?? '') ?? [];
    if (method !== 'GET' || requestUrl?.host !== PROXY_HOST || number === '') return null;
    const targetUrl = this.#urls.urlOf(Number(number));
    return targetUrl === undefined ? null : { number: Number(number), url: targetUrl };
  }

  async #forward(
    { number, url }: { readonly number: number; readonly url: string },
    { headers: { range } }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { egress, source, headers } = this.#options;
    const isSourceOrigin = new URL(url).origin === new URL(source.url).origin;
    const reply = await egress.fetch(url, {
      ...FETCH_LIMITS,
      headers: { ...(isSourceOrigin ? headers : {}), ...omitUndefined({ range }) },
      timeoutMs: number === SOURCE_NUMBER ? SOURCE_TIMEOUT_MS : FILE_TIMEOUT_MS,
      maxReplyBytes: number === SOURCE_NUMBER ? Infinity : MAX_FILE_BYTES,
      connectionKey: this.#connectionKey,
      signal: this.#closing.signal,
    });
    if (reply.status !== 200 && reply.status !== 206) {
      reply.body.destroy();
      if (number === SOURCE_NUMBER || /\.m3u8$/.test(new URL(url).pathname))
        this.finding = findingOfStatus(reply.status);
      response.writeHead(reply.status).end();
      return;
    }
    const { head, rest } = await readHead(reply.body);
    if (isPlaylist(head.toString('utf8'))) {
      const playlist = await this.#rewritePlaylist(reply, head, rest);
      this.finding = null;
      response.writeHead(200, { 'Content-Type': 'application/vnd.apple.mpegurl' }).end(playlist);
      return;
    }
    if (number === SOURCE_NUMBER) this.finding = null;
    response.writeHead(reply.status, selectPassedHeaders(reply));
    response.write(head);
    await pipeline(rest, response);
  }

  async #rewritePlaylist({ url }: EgressReply, head: Buffer, rest: Readable): Promise<string> {
    const chunks = [head];
    let byteCount = head.length;
    for await (const chunk of rest as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      byteCount += chunk.length;
      if (byteCount > MAX_PLAYLIST_BYTES) throw new PlaylistError('its playlist is longer than 1 MB');
    }
    return rewritePlaylist(Buffer.concat(chunks).toString('utf8'), url, (uri) => this.#proxyUrlOf(uri));
  }

  /** The URL at which ffmpeg requests `url` from this proxy. */
  #proxyUrlOf(url: string): string {
    // ffmpeg detects formats by file extensions.
    const [extension = '.ts'] =
      /\.(m3u8|ts|m4s|mp4|m4a|m4v|aac|mp3|ac3|ec3|key)$/.exec(new URL(url).pathname) ?? [];
    return `http://${PROXY_HOST}/${this.#urls.assignNumber(url)}${extension}`;
  }

  #recordFailure({ number }: { readonly number: number }, error: unknown): void {
    const { source } = this.#options;
    if (error instanceof PlaylistError) this.finding = { outcome: 'not_readable', detail: error.message };
    else if (number === SOURCE_NUMBER && error instanceof EgressError)
      this.finding = findingOfEgress(error, source);
  }
}

function findingOfStatus(status: number): PullFinding {
  if (status === 404 || status === 410) return { outcome: 'not_found' };
  return { outcome: 'rejected', detail: `HTTP ${status}` };
}

function selectPassedHeaders({ headers }: EgressReply): Record<string, string> {
  const headersToPass: Record<string, string> = {};
  for (const name of PASSED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') headersToPass[name] = value;
  }
  return headersToPass;
}

/**
 * Reads enough bytes to detect the type of a response.
 * @returns these bytes, and the stream with the remaining bytes
 */
async function readHead(body: Readable): Promise<{ readonly head: Buffer; readonly rest: Readable }> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  while (byteCount < DETECTED_BYTES) {
    const chunk = body.read() as Buffer | null;
    if (chunk !== null) {
      chunks.push(chunk);
      byteCount += chunk.length;
    } else if (body.readableEnded || body.destroyed) break;
    else await Promise.race([once(body, 'readable'), once(body, 'end')]);
  }
  return { head: Buffer.concat(chunks), rest: body };
}

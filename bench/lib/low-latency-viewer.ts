import { connect, type Socket } from 'node:net';

/** End of the head of an HTTP message. */
const HEAD_END = '\r\n\r\n';
/** Buffer into which the sockets of all viewers read. Received text is copied out of the buffer. */
const readBuffer = Buffer.alloc(64 * 1024);

/**
 * A viewer that loads the playlists of one stream like a low-latency player: first the master playlist, then the first media
 * playlist again and again. Each reload waits for the hinted part. A thousand viewers share a process, so a viewer uses a
 * plain socket: slow parsing would delay the others and look like latency of the server. A viewer stops at its first error.
 */
export class LowLatencyViewer {
  readonly #masterUrl: URL;
  readonly #socket: Socket;
  readonly #requestHead: string;
  /** Path and query of the media playlist, with the viewer's token from the master playlist. */
  #mediaTarget = '';
  #lastDirectives = '';
  #requestStartMs = 0;
  #receivedText = '';
  #isStopped = false;
  /** Milliseconds from each request of a reload to the last byte of its response. */
  readonly reloadMs: number[] = [];
  /** Whether the connection ended before `stop`. */
  failed = false;

  /** @param url URL of a master playlist */
  constructor(url: string) {
    this.#masterUrl = new URL(url);
    this.#requestHead = ` HTTP/1.1\r\nHost: ${this.#masterUrl.host}${HEAD_END}`;
    const receive = (bytes: number) => {
      this.#receivedText += readBuffer.toString('latin1', 0, bytes);
      this.#handleResponse();
      return true;
    };
    const { hostname: host, port } = this.#masterUrl;
    this.#socket = connect({ host, port: Number(port), onread: { buffer: readBuffer, callback: receive } });
    this.#socket.setNoDelay(true).on('error', () => undefined);
    this.#socket.on('close', () => (this.failed ||= !this.#isStopped));
    this.#request(this.#masterUrl.pathname + this.#masterUrl.search);
  }

  /** Ends the viewer. */
  stop(): void {
    this.#isStopped = true;
    this.#socket.destroy();
  }

  #request(target: string): void {
    this.#requestStartMs = performance.now();
    this.#socket.write(`GET ${target}${this.#requestHead}`, 'latin1');
  }

  #handleResponse(): void {
    const headLength = this.#receivedText.indexOf(HEAD_END);
    if (headLength === -1) return;
    const contentLength = /\r\ncontent-length: (\d+)\r\n/i.exec(
      this.#receivedText.slice(0, headLength + 2),
    )?.[1];
    if (this.#receivedText.length < headLength + HEAD_END.length + Number(contentLength)) return;
    const elapsedMs = performance.now() - this.#requestStartMs;
    const response = this.#receivedText;
    this.#receivedText = '';
    const nextTarget = response.startsWith('HTTP/1.1 200 ')
      ? this.#handlePlaylist(response, elapsedMs)
      : undefined;
    if (nextTarget !== undefined) this.#request(nextTarget);
    else this.#socket.destroy();
  }

  /**
   * Handles the response with a playlist.
   * @returns the target (path and query) of the next request, or undefined if the playlist is not as expected
   */
  #handlePlaylist(response: string, elapsedMs: number): string | undefined {
    if (this.#mediaTarget === '') {
      const uri = /^[^#\s].*\.m3u8.*$/m.exec(response.slice(response.indexOf('#EXTM3U')))?.[0];
      if (uri === undefined) return undefined;
      const { pathname, search } = new URL(uri, this.#masterUrl);
      this.#mediaTarget = `${pathname}${search || '?'}`;
      return this.#mediaTarget;
    }
    const nextDirectives = formatBlockingDirectives(response);
    if (nextDirectives === undefined || nextDirectives === this.#lastDirectives) return undefined;
    if (this.#lastDirectives !== '') this.reloadMs.push(elapsedMs);
    this.#lastDirectives = nextDirectives;
    return this.#mediaTarget + nextDirectives;
  }
}

/**
 * The delivery directives (query parameters) with which a request waits for the hinted part of a playlist
 * (rfc8216bis §6.2.5.2); undefined if the playlist has no hint.
 */
function formatBlockingDirectives(playlist: string): string | undefined {
  const hintIndex = playlist.lastIndexOf('#EXT-X-PRELOAD-HINT:');
  if (hintIndex === -1) return undefined;
  const [, msn, part] = /URI="(\d+)\.(\d+)\.m4s/.exec(playlist.slice(hintIndex)) ?? [];
  return msn === undefined || part === undefined ? undefined : `&_HLS_msn=${msn}&_HLS_part=${part}`;
}

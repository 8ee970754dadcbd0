import { connect, type Socket } from 'node:net';

const headEnd = '\r\n\r\n';
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
  #directives = '';
  #requestedAt = 0;
  #receivedText = '';
  #stopped = false;
  /** Milliseconds from each request of a reload to the last byte of its response. */
  readonly reloadMs: number[] = [];
  failed = false;

  /** @param url URL of a master playlist */
  constructor(url: string) {
    this.#masterUrl = new URL(url);
    this.#requestHead = ` HTTP/1.1\r\nHost: ${this.#masterUrl.host}${headEnd}`;
    const receive = (bytes: number) => {
      this.#receivedText += readBuffer.toString('latin1', 0, bytes);
      this.#handleResponse();
      return true;
    };
    const { hostname: host, port } = this.#masterUrl;
    this.#socket = connect({ host, port: Number(port), onread: { buffer: readBuffer, callback: receive } });
    this.#socket.setNoDelay(true).on('error', () => undefined);
    this.#socket.on('close', () => (this.failed ||= !this.#stopped));
    this.#request(this.#masterUrl.pathname + this.#masterUrl.search);
  }

  stop(): void {
    this.#stopped = true;
    this.#socket.destroy();
  }

  #request(target: string): void {
    this.#requestedAt = performance.now();
    this.#socket.write(`GET ${target}${this.#requestHead}`, 'latin1');
  }

  #handleResponse(): void {
    const headLength = this.#receivedText.indexOf(headEnd);
    if (headLength === -1) return;
    const length = /\r\ncontent-length: (\d+)\r\n/i.exec(this.#receivedText.slice(0, headLength + 2))?.[1];
    if (this.#receivedText.length < headLength + headEnd.length + Number(length)) return;
    const ms = performance.now() - this.#requestedAt;
    const response = this.#receivedText;
    this.#receivedText = '';
    const nextTarget = response.startsWith('HTTP/1.1 200 ') ? this.#nextTarget(response, ms) : undefined;
    if (nextTarget !== undefined) this.#request(nextTarget);
    else this.#socket.destroy();
  }

  /**
   * Handles a playlist.
   * @returns the target of the next request, or undefined if the playlist is not as expected
   */
  #nextTarget(response: string, ms: number): string | undefined {
    if (this.#mediaTarget === '') {
      const uri = /^[^#\s].*\.m3u8.*$/m.exec(response.slice(response.indexOf('#EXTM3U')))?.[0];
      if (uri === undefined) return undefined;
      const { pathname, search } = new URL(uri, this.#masterUrl);
      this.#mediaTarget = `${pathname}${search || '?'}`;
      return this.#mediaTarget;
    }
    const nextDirectives = readDirectives(response);
    if (nextDirectives === undefined || nextDirectives === this.#directives) return undefined;
    if (this.#directives !== '') this.reloadMs.push(ms);
    this.#directives = nextDirectives;
    return this.#mediaTarget + nextDirectives;
  }
}

/** Creates the delivery directives that wait for the hinted part of a playlist (rfc8216bis §6.2.5.2). */
function readDirectives(playlist: string): string | undefined {
  const hint = playlist.lastIndexOf('#EXT-X-PRELOAD-HINT:');
  if (hint === -1) return undefined;
  const [, msn, part] = /URI="(\d+)\.(\d+)\.m4s/.exec(playlist.slice(hint)) ?? [];
  return msn === undefined || part === undefined ? undefined : `&_HLS_msn=${msn}&_HLS_part=${part}`;
}

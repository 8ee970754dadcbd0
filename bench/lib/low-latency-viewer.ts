import { connect, type Socket } from 'node:net';

const headEnd = '\r\n\r\n';
/** Shared by all viewers; incomplete responses are copied out of it. */
const readBuffer = Buffer.alloc(64 * 1024);

/**
 * Follows the parts of one stream like a low-latency player: it loads the master playlist, and each reload of the first
 * media playlist waits for the hinted part. A thousand viewers share a process, so it uses a plain socket: slow parsing
 * would delay the others and look like latency of the server. Stops at the first error.
 */
export class LowLatencyViewer {
  readonly #master: URL;
  readonly #socket: Socket;
  readonly #head: string;
  /** Path of the media playlist, with the viewer's token from the master playlist. */
  #target = '';
  #hinted = '';
  #requestedAt = 0;
  #received = '';
  #stopped = false;
  /** Milliseconds from each request of a reload to the last byte of its response. */
  readonly reloadMs: number[] = [];
  failed = false;

  /** @param url URL of a master playlist */
  constructor(url: string) {
    this.#master = new URL(url);
    this.#head = ` HTTP/1.1\r\nHost: ${this.#master.host}${headEnd}`;
    const take = (bytes: number) => {
      this.#received += readBuffer.toString('latin1', 0, bytes);
      this.#parse();
      return true;
    };
    const { hostname: host, port } = this.#master;
    this.#socket = connect({ host, port: Number(port), onread: { buffer: readBuffer, callback: take } });
    this.#socket.setNoDelay(true).on('error', () => undefined);
    this.#socket.on('close', () => (this.failed ||= !this.#stopped));
    this.#request(this.#master.pathname + this.#master.search);
  }

  stop(): void {
    this.#stopped = true;
    this.#socket.destroy();
  }

  #request(target: string): void {
    this.#requestedAt = performance.now();
    this.#socket.write(`GET ${target}${this.#head}`, 'latin1');
  }

  #parse(): void {
    const head = this.#received.indexOf(headEnd);
    if (head === -1) return;
    const length = /\r\ncontent-length: (\d+)\r\n/i.exec(this.#received.slice(0, head + 2))?.[1];
    if (this.#received.length < head + headEnd.length + Number(length)) return;
    const ms = performance.now() - this.#requestedAt;
    const response = this.#received;
    this.#received = '';
    const next = response.startsWith('HTTP/1.1 200 ') ? this.#nextTarget(response, ms) : undefined;
    if (next !== undefined) this.#request(next);
    else this.#socket.destroy();
  }

  /** @returns the target of the next request; undefined for an unexpected response */
  #nextTarget(response: string, ms: number): string | undefined {
    if (this.#target === '') {
      const uri = /^[^#\s].*\.m3u8.*$/m.exec(response.slice(response.indexOf('#EXTM3U')))?.[0];
      if (uri === undefined) return undefined;
      const { pathname, search } = new URL(uri, this.#master);
      this.#target = `${pathname}${search || '?'}`;
      return this.#target;
    }
    const next = nextPart(response);
    if (next === undefined || next === this.#hinted) return undefined;
    if (this.#hinted !== '') this.reloadMs.push(ms);
    this.#hinted = next;
    return this.#target + next;
  }
}

/** The delivery directives that wait for the hinted part (rfc8216bis §6.2.5.2). */
function nextPart(playlist: string): string | undefined {
  const hint = playlist.lastIndexOf('#EXT-X-PRELOAD-HINT:');
  if (hint === -1) return undefined;
  const [, msn, part] = /URI="(\d+)\.(\d+)\.m4s/.exec(playlist.slice(hint)) ?? [];
  return msn === undefined || part === undefined ? undefined : `&_HLS_msn=${msn}&_HLS_part=${part}`;
}

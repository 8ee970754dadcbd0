import { connect, type Socket } from 'node:net';

const headEnd = '\r\n\r\n';
/** Read into by all viewers in turn: what is not whole yet is kept elsewhere. */
const readBuffer = Buffer.alloc(64 * 1024);

/**
 * Follows the parts of one stream as a low-latency player does: it loads the master playlist, and each reload of the
 * first media playlist waits for the part hinted at. A bare socket, because a thousand of them share a process: what
 * the reading of one costs, those behind it wait for, and it would count as the server's. It leaves at the first failure.
 */
export class LowLatencyViewer {
  readonly #master: URL;
  readonly #socket: Socket;
  readonly #head: string;
  /** Of the media playlist, with the token that the master playlist gave this viewer. */
  #target = '';
  #hinted = '';
  #began = 0;
  #received = '';
  #stopped = false;
  /** From each reload written to its answer complete, ms. */
  readonly held: number[] = [];
  failed = false;

  /** @param url of a master playlist */
  constructor(url: string) {
    this.#master = new URL(url);
    this.#head = ` HTTP/1.1\r\nHost: ${this.#master.host}${headEnd}`;
    const take = (bytes: number) => {
      this.#received += readBuffer.toString('latin1', 0, bytes);
      this.#look();
      return true;
    };
    const { hostname: host, port } = this.#master;
    this.#socket = connect({ host, port: Number(port), onread: { buffer: readBuffer, callback: take } });
    this.#socket.setNoDelay(true).on('error', () => undefined);
    this.#socket.on('close', () => (this.failed ||= !this.#stopped));
    this.#ask(this.#master.pathname);
  }

  stop(): void {
    this.#stopped = true;
    this.#socket.destroy();
  }

  #ask(target: string): void {
    this.#began = performance.now();
    this.#socket.write(`GET ${target}${this.#head}`, 'latin1');
  }

  #look(): void {
    const head = this.#received.indexOf(headEnd);
    if (head === -1) return;
    const length = /\r\ncontent-length: (\d+)\r\n/i.exec(this.#received.slice(0, head + 2))?.[1];
    if (this.#received.length < head + headEnd.length + Number(length)) return;
    const took = performance.now() - this.#began;
    const answer = this.#received;
    this.#received = '';
    const next = answer.startsWith('HTTP/1.1 200 ') ? this.#answered(answer, took) : undefined;
    if (next !== undefined) this.#ask(next);
    else this.#socket.destroy();
  }

  /** @returns what to ask for next; undefined when the answer is of no use */
  #answered(answer: string, took: number): string | undefined {
    if (this.#target === '') {
      const uri = /^[^#\s].*\.m3u8.*$/m.exec(answer.slice(answer.indexOf('#EXTM3U')))?.[0];
      if (uri === undefined) return undefined;
      const { pathname, search } = new URL(uri, this.#master);
      this.#target = `${pathname}${search || '?'}`;
      return this.#target;
    }
    const next = nextPart(answer);
    if (next === undefined || next === this.#hinted) return undefined;
    if (this.#hinted !== '') this.held.push(took);
    this.#hinted = next;
    return this.#target + next;
  }
}

/** The directive that waits for what the playlist hints at. */
function nextPart(playlist: string): string | undefined {
  const hint = playlist.lastIndexOf('#EXT-X-PRELOAD-HINT:');
  if (hint === -1) return undefined;
  const [, msn, part] = /URI="(\d+)\.(\d+)\.m4s/.exec(playlist.slice(hint)) ?? [];
  return msn === undefined || part === undefined ? undefined : `&_HLS_msn=${msn}&_HLS_part=${part}`;
}

import { get, type Agent } from 'node:http';

/** Follows the parts of one stream as a low-latency player does: each reload waits for the part hinted at. */
export class LowLatencyViewer {
  readonly #url: URL;
  readonly #agent: Agent;
  /** How long each reload was held, ms. */
  readonly held: number[] = [];
  failures = 0;
  readonly #ending = new AbortController();

  /** @param url of a media playlist */
  constructor(url: string, agent: Agent) {
    this.#url = new URL(url);
    this.#agent = agent;
  }

  async follow(): Promise<void> {
    let hinted = nextPart((await this.#read('')) ?? '');
    for (;;) {
      const began = performance.now();
      const text = await this.#read(hinted);
      const next = text === undefined ? undefined : nextPart(text);
      if (this.#ending.signal.aborted) return;
      if (next === undefined || next === hinted) this.failures += 1;
      else this.held.push(performance.now() - began);
      hinted = next ?? '';
    }
  }

  stop(): void {
    this.#ending.abort();
  }

  #read(query: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      const request = get(`${this.#url.href}${query}`, { agent: this.#agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(response.statusCode === 200 ? text : undefined));
        response.on('error', () => resolve(undefined));
      });
      request.on('error', () => resolve(undefined));
    });
  }
}

/** The directive that waits for what the playlist hints at. */
function nextPart(playlist: string): string {
  const [, msn, part] = /#EXT-X-PRELOAD-HINT:TYPE=PART,URI="(\d+)\.(\d+)\.m4s"/.exec(playlist) ?? [];
  return msn === undefined || part === undefined ? '' : `?_HLS_msn=${msn}&_HLS_part=${part}`;
}

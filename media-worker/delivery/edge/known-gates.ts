import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';
import type { OpenedResponse, Upstream } from './upstream';

interface KnownGatesOptions {
  readonly upstream: Pick<Upstream, 'open' | 'fetch'>;
  /** `Via` header of requests to the upstream. */
  readonly via: string;
  readonly clock: Pick<Clock, 'monotonic'>;
}

interface KnownGate {
  readonly gated: boolean;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** A viewer who loses access gets cached content for no longer than this. */
const freshMs = 4_000;
const maxKnown = 50_000;
const content = /^(\/(?:hls|asset|recordings)\/[^/]+)\//;

/** The stream, asset or recording folder of a target; null for others. */
export const contentOf = (target: string): string | null => content.exec(target)?.[1] ?? null;

/**
 * Knows which streams, assets and recordings are restricted. The origin rejects a request without a proof if one is needed,
 * so every answer to such a request shows it. If all files are cached and no answer arrives for some seconds, the upstream is
 * asked.
 */
export class KnownGates {
  readonly #options: KnownGatesOptions;
  readonly #gates = new LRUCache<string, KnownGate>({ max: maxKnown });
  readonly #checks = new SingleFlight<boolean>();

  constructor(options: KnownGatesOptions) {
    this.#options = options;
  }

  /** The upstream for requests without a proof. */
  readonly upstream: Pick<Upstream, 'open' | 'fetch'> = {
    open: async (target, upstreamRequest) =>
      this.#learn(target, await this.#options.upstream.open(target, upstreamRequest)),
    fetch: async (target, upstreamRequest) =>
      this.#learn(target, await this.#options.upstream.fetch(target, upstreamRequest)),
  };

  /**
   * Whether the upstream has to decide for each viewer. Unknown content counts as public, because the first answer shows
   * whether it is.
   */
  async isGated(folder: string): Promise<boolean> {
    const gate = this.#gates.get(folder);
    if (!gate || this.#options.clock.monotonic() - gate.at <= freshMs) return gate?.gated ?? false;
    // While the upstream is away, public content stays public.
    return this.#ask(folder).catch(() => gate.gated);
  }

  #ask(folder: string): Promise<boolean> {
    const target = `${folder}/index.m3u8${folder.startsWith('/hls/') ? '?ll=0' : ''}`;
    const headers = { Via: this.#options.via, 'Accept-Encoding': 'identity' };
    return this.#checks.run(folder, async () => {
      const { body } = await this.upstream.open(target, { method: 'HEAD', headers });
      body.resume();
      return this.#gates.get(folder)?.gated ?? false;
    });
  }

  #learn<Response extends Pick<OpenedResponse, 'status'>>(target: string, response: Response): Response {
    const folder = contentOf(target);
    if (folder !== null && response.status < 500) {
      const at = this.#options.clock.monotonic();
      this.#gates.set(folder, { gated: response.status === 403, at });
    }
    return response;
  }
}

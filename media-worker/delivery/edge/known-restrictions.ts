import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';
import type { OpenedResponse, Upstream } from './upstream';

interface KnownRestrictionsOptions {
  readonly upstream: Pick<Upstream, 'open' | 'fetch'>;
  /** `Via` header of requests to the upstream. */
  readonly via: string;
  readonly clock: Pick<Clock, 'monotonic'>;
}

interface KnownRestriction {
  readonly isRestricted: boolean;
  /** When an answer last showed the state, monotonic milliseconds. */
  readonly learnedAt: number;
}

/**
 * How long a known state is used without a new answer. While the upstream responds, a viewer who loses access gets
 * cached content for no longer than this.
 */
const RESTRICTION_MAX_AGE_MS = 4_000;
const MAX_RESTRICTIONS = 50_000;
const contentFolder = /^(\/(?:hls|asset|recordings)\/[^/]+)\//;

/** The folder of the stream, asset or recording of a target, for example `/hls/<playback id>`; null for others. */
export const contentFolderOf = (target: string): string | null => contentFolder.exec(target)?.[1] ?? null;

/**
 * What an edge knows about which streams, assets and recordings are restricted. The origin rejects a request without a
 * proof if one is needed, so every answer to such a request shows it. If all files are cached and no answer arrives for some
 * seconds, the upstream is asked.
 */
export class KnownRestrictions {
  readonly #options: KnownRestrictionsOptions;
  readonly #restrictions = new LRUCache<string, KnownRestriction>({ max: MAX_RESTRICTIONS });
  readonly #checks = new SingleFlight<boolean>();

  constructor(options: KnownRestrictionsOptions) {
    this.#options = options;
  }

  /** The upstream for requests without a proof. */
  readonly upstream: Pick<Upstream, 'open' | 'fetch'> = {
    open: async (target, upstreamRequest) =>
      this.#learnFrom(target, await this.#options.upstream.open(target, upstreamRequest)),
    fetch: async (target, upstreamRequest) =>
      this.#learnFrom(target, await this.#options.upstream.fetch(target, upstreamRequest)),
  };

  /**
   * Whether the upstream has to decide for each viewer. Unknown content counts as public, because the first answer shows
   * whether it is.
   */
  async isRestricted(folder: string): Promise<boolean> {
    const restriction = this.#restrictions.get(folder);
    if (!restriction || this.#options.clock.monotonic() - restriction.learnedAt <= RESTRICTION_MAX_AGE_MS)
      return restriction?.isRestricted ?? false;
    // While the upstream is unavailable, the last known state stays valid.
    return this.#askUpstream(folder).catch(() => restriction.isRestricted);
  }

  #askUpstream(folder: string): Promise<boolean> {
    // `ll=0`: the version for caches, without a viewer token.
    const target = `${folder}/index.m3u8${folder.startsWith('/hls/') ? '?ll=0' : ''}`;
    const headers = { Via: this.#options.via, 'Accept-Encoding': 'identity' };
    return this.#checks.run(folder, async () => {
      const { body } = await this.upstream.open(target, { method: 'HEAD', headers });
      body.resume();
      return this.#restrictions.get(folder)?.isRestricted ?? false;
    });
  }

  #learnFrom<Response extends Pick<OpenedResponse, 'status'>>(target: string, response: Response): Response {
    const folder = contentFolderOf(target);
    if (folder !== null && response.status < 500) {
      const now = this.#options.clock.monotonic();
      this.#restrictions.set(folder, { isRestricted: response.status === 403, learnedAt: now });
    }
    return response;
  }
}

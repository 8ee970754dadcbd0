import { quotaRejection } from '@/lib/core/quotas/quota';
import type { Clock } from '@/lib/infra/clock';
import { errorAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';

type ExhaustedQuotas = ReadonlyMap<string, { readonly limit: number; readonly used: number }>;

interface QuotaSources {
  /** Teams that have reached their limit of delivered bytes. */
  readonly findExhausted: () => Promise<ExhaustedQuotas>;
  /** Finds the team that owns a playback id of a stream or asset, or a recorded session. */
  readonly teamOf: (id: string) => Promise<{ readonly teamId: string } | null>;
  readonly clock: Clock;
}

/**
 * Paths whose delivery counts: all files of assets and recordings except pictures, but only playlists and connections of live
 * streams, so that a running playback does not end with an error.
 */
const countedPath =
  /^\/(?:hls\/([a-z0-9]{16})\/(?:[^/]+\/)*[^/]+\.m3u8|webrtc\/([a-z0-9]{16})|asset\/([a-z0-9]{16})\/.*|recordings\/([0-9a-f-]{36})\/.*)$/;
const pictureFile = /\.(?:jpg|vtt)$/;

/**
 * Rejects content of teams that have used up their quota of delivered bytes. The list of these teams is read twice a minute,
 * and a request costs nothing while the list is empty.
 */
export class QuotaGate {
  readonly #sources: QuotaSources;
  readonly #teams: LookupCache<{ readonly teamId: string }>;
  #exhaustedQuotas: ExhaustedQuotas = new Map();

  constructor(sources: QuotaSources) {
    this.#sources = sources;
    this.#teams = new LookupCache(sources.teamOf, sources.clock, { maxAgeMs: 60_000 });
  }

  /** Reads which teams have reached their limit. While the database is unavailable, the last list stays valid. */
  async refresh(): Promise<void> {
    this.#exhaustedQuotas = await this.#sources.findExhausted();
  }

  /** The rejection for this path; null, or a promise of null, if it may be served. */
  findRejection(path: string): Promise<Answer | null> | null {
    if (this.#exhaustedQuotas.size === 0 || pictureFile.test(path)) return null;
    const [, live, webrtc, asset, session] = countedPath.exec(path) ?? [];
    const id = live ?? webrtc ?? asset ?? session;
    return id === undefined ? null : this.#findRejectionOf(id);
  }

  async #findRejectionOf(id: string): Promise<Answer | null> {
    const team = await this.#teams.find(id).catch(() => null);
    const usage = team && this.#exhaustedQuotas.get(team.teamId);
    const rejection = usage && quotaRejection('viewerBytes', { ...usage, requested: 0 });
    return rejection ? errorAnswer(402, rejection.message, { 'Cache-Control': 'public, max-age=5' }) : null;
  }
}

import type { Engine, EngineEvents, EngineFacts } from './engine';

/** Index of an unknown rendition. */
const UNKNOWN = -1;

interface NativeAudioTrack {
  enabled: boolean;
  readonly label: string;
  readonly language: string;
}

/** Properties of a <video> in WebKit that the standard types omit. */
type NativeVideo = HTMLVideoElement & {
  /** Wall clock time of position 0; an invalid date if the playlist has none. */
  getStartDate?: () => Date;
  readonly audioTracks?: ArrayLike<NativeAudioTrack> & EventTarget;
};

/** Engine for browsers that play HLS and choose the rendition themselves, such as Safari. */
export class NativeEngine implements Engine {
  readonly #closing = new AbortController();
  readonly #onError = () => this.events.sourceLost('unreachable');

  constructor(
    private readonly video: NativeVideo,
    private readonly src: string,
    private readonly events: EngineEvents,
    private readonly startAt?: number,
  ) {}

  start(): void {
    const { signal } = this.#closing;
    this.video.addEventListener('error', this.#onError, { signal });
    for (const name of ['addtrack', 'removetrack', 'change'])
      this.video.audioTracks?.addEventListener(name, () => this.#reportAudioTracks(), { signal });
    this.video.src = this.src;
    if (this.startAt !== undefined) this.video.currentTime = this.startAt;
    this.events.rendition(UNKNOWN);
  }

  stopLoading(): void {
    // Safari stops loading by itself when no more media arrives.
  }

  chooseRendition(): void {
    // The viewer cannot choose a rendition, because this engine never reports `renditions`.
  }

  chooseAudio(index: number): void {
    this.#audioTracks().forEach((track, trackIndex) => (track.enabled = trackIndex === index));
  }

  setCatchUp(): void {
    // Safari determines its distance to the live edge itself.
  }

  facts(): EngineFacts {
    return { name: 'Native HLS', bitrate: null, codecs: null, lowestBitrate: null, bandwidth: null };
  }

  latency(): number | null {
    const edge = this.livePosition();
    return edge === null ? null : Math.max(0, edge - this.video.currentTime);
  }

  livePosition(): number | null {
    const { seekable } = this.video;
    return seekable.length > 0 ? seekable.end(seekable.length - 1) : null;
  }

  dateAt(seconds: number): number | null {
    const startDateMs = this.video.getStartDate?.().getTime() ?? Number.NaN;
    return Number.isNaN(startDateMs) ? null : startDateMs + seconds * 1000;
  }

  #audioTracks(): NativeAudioTrack[] {
    return Array.from(this.video.audioTracks ?? []);
  }

  #reportAudioTracks(): void {
    const nativeTracks = this.#audioTracks();
    this.events.audioTracks(
      nativeTracks.map(({ label, language }, index) => ({ index, label: label || language })),
      nativeTracks.findIndex(({ enabled }) => enabled),
    );
  }

  destroy(): void {
    this.#closing.abort();
    this.video.removeAttribute('src');
    this.video.load();
  }
}

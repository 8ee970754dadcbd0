import { createEngine, prepareEngine } from './create-engine';
import type { Engine, EngineEvents, EngineFacts, LossReason } from './engine';
import { nextPhase, probeDelay, type PlaybackEvent } from './phases';
import { type PlaybackStart, type PlaybackView, firstView } from './playback-view';
import { probePlaylist, type Probe } from './probe';
import { Intent } from './intent';
import { Lag } from './lag';
import { isDrained, StallWatch } from './stall-watch';
import { startVideo } from './start-video';

const TICK_MS = 1000;
/** Distance from the live position, in seconds, that counts as "behind". */
const BEHIND_S = 5;
/** A higher rate was chosen by the viewer: engines stay below this limit. */
const CATCH_UP_LIMIT = 1.2;

/** Follows one live playlist for one <video>: waits for it, plays it, and reconnects after every loss. */
export class Playback {
  #live: PlaybackStart['live'];
  readonly #autoplay: boolean;
  readonly #startAt: PlaybackStart['startAt'];
  #whep: PlaybackStart['whep'];
  #view: PlaybackView;
  #engine: Engine | undefined;
  #played = false;
  /** Whether the source was live at any time. */
  #endless = false;
  #misses = 0;
  readonly #stalls = new StallWatch();
  #lag = new Lag();
  /** Reason of a loss while the rest of the buffer plays. */
  #draining: Exclude<Probe['result'], 'found'> | LossReason | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ticker: ReturnType<typeof setInterval> | undefined;
  readonly #closing = new AbortController();
  readonly #intent: Intent;
  #generation = 0;

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly src: string,
    private readonly show: (view: PlaybackView) => void,
    { live, broadcast, autoplay, startAt, whep }: PlaybackStart,
  ) {
    this.#whep = whep;
    this.#live = live;
    this.#autoplay = autoplay;
    this.#startAt = startAt;
    this.#view = firstView(live, broadcast);
    this.#intent = new Intent(video, () => this.#view.phase === 'playing', this.#closing.signal);
  }

  open(): void {
    const { signal } = this.#closing;
    this.#set({}); // resets the view that another stream left
    for (const event of ['canplay', 'playing'])
      this.video.addEventListener(event, () => this.#frame(), { signal });
    window.addEventListener('online', () => this.#wake(), { signal });
    document.addEventListener('visibilitychange', () => this.#wake(), { signal });
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    if (this.#live === false) {
      this.#probeLater();
      return;
    }
    void this.#probe();
  }

  /** State of the stream from the server: going live takes effect immediately. */
  hint(live: boolean | undefined): void {
    const before = this.#live;
    this.#live = live;
    if (live && !before) this.#wake();
  }

  choose(index: number): void {
    this.#engine?.choose(index);
    this.#set({ chosenRendition: index });
  }

  chooseAudio(index: number): void {
    this.#engine?.chooseAudio(index);
    this.#set({ audioTrack: index });
  }

  setSpeed(speed: number): void {
    this.#engine?.keepUp(speed === 1);
    // A new engine resets the rate to the default rate.
    this.video.defaultPlaybackRate = speed;
    this.video.playbackRate = speed;
  }

  readonly dateAt = (seconds: number): number | null => this.#engine?.dateAt(seconds) ?? null;
  readonly facts = (): EngineFacts | null => this.#engine?.facts() ?? null;

  jumpToLive(): void {
    const position = this.#engine?.livePosition() ?? null;
    if (position !== null) this.video.currentTime = position;
    void this.video.play().catch(() => undefined);
  }

  close(): void {
    this.#closing.abort();
    this.#generation += 1;
    clearTimeout(this.#retry);
    clearInterval(this.#ticker);
    this.#engine?.destroy();
    this.#engine = undefined;
  }

  #set(change: Partial<PlaybackView>): void {
    this.#view = { ...this.#view, ...change };
    if (!this.#closing.signal.aborted) this.show(this.#view);
  }

  #dispatch(event: PlaybackEvent): void {
    this.#set({ phase: nextPhase(this.#view.phase, event, this.#played) });
  }

  #wake(): void {
    if (document.hidden || this.#retry === undefined) return;
    this.#misses = 0;
    void this.#probe();
  }

  async #probe(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    if (this.#whep === undefined) prepareEngine(this.video, this.src);
    const { result, broadcast, hasTracks, refusal } = await probePlaylist(this.src, this.#closing.signal);
    if (this.#closing.signal.aborted) return;
    if (result !== 'unreachable') this.#set({ broadcast, refusal });
    if (result === 'found') {
      this.#misses = 0;
      return this.#attach(hasTracks ?? false);
    }
    this.#misses += 1;
    if (this.#draining) this.#draining = result;
    else this.#dispatch(result);
    if (result !== 'deleted' && result !== 'refused') this.#probeLater();
  }

  #probeLater(): void {
    clearTimeout(this.#retry);
    const delay = probeDelay(this.#misses, this.#live === true && !this.#played);
    this.#retry = setTimeout(() => {
      // While the page is hidden or the stream is known to be offline, wait for an event instead of polling.
      if (document.hidden || this.#live === false) this.#probeLater();
      else void this.#probe();
    }, delay);
  }

  async #attach(hasTracks: boolean): Promise<void> {
    this.#draining = undefined;
    this.#stalls.onAttached();
    this.#lag = new Lag();
    this.#dispatch('found');
    const start = { hasTracks, startAt: this.#startPosition(), whep: this.#whep };
    this.#engine?.destroy();
    const generation = (this.#generation += 1);
    const events: EngineEvents = {
      renditions: (renditions) => {
        this.#set({ renditions, chosenRendition: -1 });
        void this.#play();
      },
      rendition: (shownRendition) => this.#set({ shownRendition }),
      audioTracks: (list, audioTrack) => this.#set({ audioTracks: list.length > 1 ? list : [], audioTrack }),
      sourceLost: (reason) => this.#lost(reason),
      fatalError: () => this.#lost('unreachable'),
      recovered: () => void this.#play(),
      fellBack: (fallback) => {
        this.#whep = undefined;
        this.#set({ fallback });
        void this.#attach(hasTracks);
      },
    };
    const engine = await createEngine(this.video, this.src, events, start).catch(() => null);
    // Playback was closed or attached again while the player code loaded.
    if (generation !== this.#generation) return;
    if (!engine) {
      // The engine's code could not be loaded, for example during a deployment. Report it and retry.
      this.#lost('unreachable');
      return;
    }
    this.#engine = engine;
    engine.keepUp(this.video.defaultPlaybackRate === 1);
    engine.start();
    void this.#play();
  }

  /** Start position of a recorded video, or its last position; undefined for a live stream. */
  #startPosition(): number | undefined {
    if (!this.#played) return this.#startAt;
    const { duration, currentTime } = this.video;
    return Number.isFinite(duration) && !this.#endless ? currentTime : undefined;
  }

  async #play(): Promise<void> {
    if (!this.#intent.halted && (this.#autoplay || this.#played)) await startVideo(this.video);
  }

  #frame(): void {
    if (this.#draining) return;
    this.#stalls.frame();
    this.#endless ||= this.video.duration === Infinity;
    this.#dispatch('frame');
    this.#played = true;
  }

  #lost(reason: LossReason): void {
    this.#engine?.releaseResources();
    this.#draining = reason;
    this.#misses += 1;
    this.#probeLater();
    this.#drain();
  }

  /** Reports the loss once the last buffered frame has been shown. */
  #drain(): void {
    if (!this.#draining) return;
    if (!isDrained(this.video)) return;
    const reason = this.#draining;
    this.#draining = undefined;
    this.#dispatch(reason);
  }

  #tick(): void {
    this.#drain();
    const { phase } = this.#view;
    if (!this.#engine || (phase !== 'playing' && phase !== 'connecting')) return;
    if (phase === 'playing') this.#follow(this.#engine);
    const { currentTime, ended, paused } = this.video;
    if (this.#intent.running && paused) void this.#play();
    const resting = !this.#intent.running || ended || document.hidden || this.#draining !== undefined;
    if (!this.#stalls.check({ currentTime, resting }, phase)) return;
    this.#dispatch('unreachable');
    void this.#probe();
  }

  #follow(engine: Engine): void {
    const position = engine.livePosition();
    const behind = position !== null && position - this.video.currentTime > BEHIND_S;
    this.#set({ latency: engine.latency(), behind });
    const edge = this.#lag.check(this.video, engine);
    if (this.#endless && edge !== null) this.video.currentTime = edge;
    // At the live edge, faster playback would stall.
    if (this.#endless && !behind && this.video.playbackRate > CATCH_UP_LIMIT) this.setSpeed(1);
    // A live playlist may also end instead of disappearing: a blocked reload can return EXT-X-ENDLIST.
    if (this.#endless && this.video.ended) this.#lost('missing');
  }
}

import { createEngine, prepareEngine } from './create-engine';
import type { Engine, EngineEvents, EngineFacts, LossReason } from './engine';
import { nextPhase, probeDelay, type PlaybackEvent } from './phases';
import { type PlaybackStartOptions, type PlaybackView, initialView } from './playback-view';
import { probePlaylist, type Probe } from './probe';
import { PlaybackIntent } from './intent';
import { LagWatch } from './lag';
import { isDrained, StallWatch } from './stall-watch';
import { startVideo } from './start-video';

const TICK_MS = 1000;
/** Distance from the live position, in seconds, from which the viewer counts as behind. */
const BEHIND_S = 5;
/** A rate above those at which engines catch up (hls.js: 1.1): the viewer chose it, and at the live edge it would stall. */
const CATCH_UP_LIMIT = 1.2;

/** Plays one playlist in one <video> from `open` to `close`. Waits for it and reconnects, unless it is deleted or forbidden. */
export class Playback {
  #live: PlaybackStartOptions['live'];
  readonly #autoplay: boolean;
  readonly #startAt: PlaybackStartOptions['startAt'];
  #whepUrl: PlaybackStartOptions['whepUrl'];
  #view: PlaybackView;
  #engine: Engine | undefined;
  #hasPlayed = false;
  /** Whether the duration of the source was infinite at any time: it is a live stream. */
  #isEndless = false;
  /** Consecutive requests without a playlist, and losses of the source; they determine the delay of the next request. */
  #misses = 0;
  readonly #stallWatch = new StallWatch();
  #lagWatch = new LagWatch();
  /** Reason of a loss that is reported after the rest of the buffer has played. */
  #drainReason: Exclude<Probe['result'], 'found'> | LossReason | undefined;
  /** Timer of the next request; undefined if none is scheduled. */
  #probeTimer: ReturnType<typeof setTimeout> | undefined;
  #tickTimer: ReturnType<typeof setInterval> | undefined;
  readonly #closing = new AbortController();
  readonly #intent: PlaybackIntent;
  /** Number of engines so far, which tells a late engine that it has been replaced. */
  #generation = 0;

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly src: string,
    private readonly onViewChange: (view: PlaybackView) => void,
    { live, publicStatus, autoplay, startAt, whepUrl }: PlaybackStartOptions,
  ) {
    this.#whepUrl = whepUrl;
    this.#live = live;
    this.#autoplay = autoplay;
    this.#startAt = startAt;
    this.#view = initialView(live, publicStatus);
    this.#intent = new PlaybackIntent(video, () => this.#view.phase === 'playing', this.#closing.signal);
  }

  open(): void {
    const { signal } = this.#closing;
    this.#updateView({}); // replaces the view of the previous stream
    for (const event of ['canplay', 'playing'])
      this.video.addEventListener(event, () => this.#onFrame(), { signal });
    window.addEventListener('online', () => this.#probeNow(), { signal });
    document.addEventListener('visibilitychange', () => this.#probeNow(), { signal });
    this.#tickTimer = setInterval(() => this.#tick(), TICK_MS);
    if (this.#live === false) this.#probeLater();
    else void this.#probe();
  }

  /** Sets the state of the stream that the server reports. When the stream goes live, the playlist is requested immediately. */
  setLive(live: boolean | undefined): void {
    const wasLive = this.#live;
    this.#live = live;
    if (live && !wasLive) this.#probeNow();
  }

  chooseRendition(index: number): void {
    this.#engine?.chooseRendition(index);
    this.#updateView({ chosenRendition: index });
  }

  chooseAudio(index: number): void {
    this.#engine?.chooseAudio(index);
    this.#updateView({ audioTrack: index });
  }

  setSpeed(speed: number): void {
    this.#engine?.setCatchUp(speed === 1);
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
    clearTimeout(this.#probeTimer);
    clearInterval(this.#tickTimer);
    this.#engine?.destroy();
    this.#engine = undefined;
  }

  #updateView(change: Partial<PlaybackView>): void {
    this.#view = { ...this.#view, ...change };
    if (!this.#closing.signal.aborted) this.onViewChange(this.#view);
  }

  #dispatch(event: PlaybackEvent): void {
    this.#updateView({ phase: nextPhase(this.#view.phase, event, this.#hasPlayed) });
  }

  /** Sends the scheduled request now. Does nothing if none is scheduled, or while the page is hidden. */
  #probeNow(): void {
    if (document.hidden || this.#probeTimer === undefined) return;
    this.#misses = 0;
    void this.#probe();
  }

  async #probe(): Promise<void> {
    clearTimeout(this.#probeTimer);
    this.#probeTimer = undefined;
    if (this.#whepUrl === undefined) prepareEngine(this.video, this.src);
    const { signal } = this.#closing;
    const { result, publicStatus, hasExtraTracks, rejection } = await probePlaylist(this.src, signal);
    if (signal.aborted) return;
    if (result !== 'unreachable') this.#updateView({ publicStatus, rejection });
    if (result === 'found') {
      this.#misses = 0;
      return this.#attach(hasExtraTracks ?? false);
    }
    this.#misses += 1;
    if (this.#drainReason) this.#drainReason = result;
    else this.#dispatch(result);
    if (result !== 'deleted' && result !== 'rejected') this.#probeLater();
  }

  #probeLater(): void {
    clearTimeout(this.#probeTimer);
    const delay = probeDelay(this.#misses, this.#live === true && !this.#hasPlayed);
    this.#probeTimer = setTimeout(() => {
      // While the page is hidden or the stream is known to be offline, wait for an event instead of polling.
      if (document.hidden || this.#live === false) this.#probeLater();
      else void this.#probe();
    }, delay);
  }

  async #attach(hasExtraTracks: boolean): Promise<void> {
    this.#drainReason = undefined;
    this.#stallWatch.onAttached();
    this.#lagWatch = new LagWatch();
    this.#dispatch('found');
    const options = { hasExtraTracks, startAt: this.#startPosition(), whepUrl: this.#whepUrl };
    this.#engine?.destroy();
    const generation = (this.#generation += 1);
    const events: EngineEvents = {
      renditions: (renditions) => {
        this.#updateView({ renditions, chosenRendition: -1 });
        void this.#play();
      },
      rendition: (shownRendition) => this.#updateView({ shownRendition }),
      audioTracks: (list, audioTrack) =>
        this.#updateView({ audioTracks: list.length > 1 ? list : [], audioTrack }),
      sourceLost: (reason) => this.#handleLoss(reason),
      fatalError: () => this.#handleLoss('unreachable'),
      recovered: () => void this.#play(),
      fellBack: (fallback) => {
        this.#whepUrl = undefined;
        this.#updateView({ fallback });
        void this.#attach(hasExtraTracks);
      },
    };
    const engine = await createEngine(this.video, this.src, events, options).catch(() => null);
    // Playback was closed, or another engine was attached, while the code of this engine loaded.
    if (generation !== this.#generation) return;
    if (!engine) this.#handleLoss('unreachable'); // Its code did not load, for example during a deployment.
    else {
      this.#engine = engine;
      engine.setCatchUp(this.video.defaultPlaybackRate === 1);
      engine.start();
      void this.#play();
    }
  }

  /** Start position of the next engine: for a recorded video the requested or the current position, else undefined. */
  #startPosition(): number | undefined {
    if (!this.#hasPlayed) return this.#startAt;
    const { duration, currentTime } = this.video;
    return Number.isFinite(duration) && !this.#isEndless ? currentTime : undefined;
  }

  async #play(): Promise<void> {
    if (!this.#intent.isPausedByViewer && (this.#autoplay || this.#hasPlayed)) await startVideo(this.video);
  }

  #onFrame(): void {
    if (this.#drainReason) return;
    this.#stallWatch.onFrame();
    this.#isEndless ||= this.video.duration === Infinity;
    this.#dispatch('frame');
    this.#hasPlayed = true;
  }

  #handleLoss(reason: LossReason): void {
    this.#engine?.stopLoading();
    this.#drainReason = reason;
    this.#misses += 1;
    this.#probeLater();
    this.#reportLossAfterBuffer();
  }

  /** Reports the loss once the last buffered frame has been shown. */
  #reportLossAfterBuffer(): void {
    if (!this.#drainReason || !isDrained(this.video)) return;
    const reason = this.#drainReason;
    this.#drainReason = undefined;
    this.#dispatch(reason);
  }

  #tick(): void {
    this.#reportLossAfterBuffer();
    const { phase } = this.#view;
    if (!this.#engine || (phase !== 'playing' && phase !== 'connecting')) return;
    if (phase === 'playing') this.#stayNearLiveEdge(this.#engine);
    const { currentTime, ended, paused } = this.video;
    if (this.#intent.wantsPlayback && paused) void this.#play();
    const isResting =
      !this.#intent.wantsPlayback || ended || document.hidden || this.#drainReason !== undefined;
    if (!this.#stallWatch.check({ currentTime, isResting }, phase)) return;
    this.#dispatch('unreachable');
    void this.#probe();
  }

  #stayNearLiveEdge(engine: Engine): void {
    const position = engine.livePosition();
    const isBehind = position !== null && position - this.video.currentTime > BEHIND_S;
    this.#updateView({ latency: engine.latency(), isBehindLive: isBehind });
    const edge = this.#lagWatch.check(this.video, engine);
    if (this.#isEndless && edge !== null) this.video.currentTime = edge;
    if (this.#isEndless && !isBehind && this.video.playbackRate > CATCH_UP_LIMIT) this.setSpeed(1);
    // A live playlist may also end instead of disappearing: a blocked reload can return EXT-X-ENDLIST.
    if (this.#isEndless && this.video.ended) this.#handleLoss('missing');
  }
}

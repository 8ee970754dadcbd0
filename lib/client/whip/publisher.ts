import {
  type ConnectionProblem,
  isOnAir,
  type PublisherEvent,
  publisherMachine,
  type PublisherState,
  reconnectDelayMs,
} from '@/lib/core/streams/go-live/publisher-state';
import type { OutgoingFigures } from '@/lib/core/streams/go-live/outgoing-figures';
import { defaultQuality, type Quality } from '@/lib/core/streams/go-live/quality';
import { type CameraChoice, type MicrophoneChoice } from './media-devices';
import { Sources } from './sources';
import type { SourcesSnapshot } from './sources-snapshot';
import { WhipConnection, type WhipEndpoint } from './whip-connection';

const FIGURES_INTERVAL_MS = 1_000;

export interface PublisherSnapshot extends SourcesSnapshot {
  readonly state: PublisherState;
  readonly connectionProblem: ConnectionProblem | null;
  readonly quality: Quality;
  /** Figures of the outgoing media; null before the first second of a connection. */
  readonly figures: OutgoingFigures | null;
  /** Seconds since going live; null: not live yet. */
  readonly liveSeconds: number | null;
}

/** Publishes camera, screen and microphone to a stream by WHIP. Its state machine is in lib/core/streams/go-live. */
export class Publisher {
  readonly #listeners = new Set<() => void>();
  readonly #sources: Sources;
  #quality = defaultQuality;
  #state: PublisherState = 'idle';
  #problem: ConnectionProblem | null = null;
  #figures: OutgoingFigures | null = null;
  /** When the stream went live, in Unix milliseconds. */
  #liveSince: number | null = null;
  #endpoint: WhipEndpoint | null = null;
  #connection: WhipConnection | null = null;
  /** When the connection was lost, by `performance.now()`. */
  #lostAt = 0;
  /** Consecutive failed reconnect attempts. */
  #failureCount = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #figuresTimer: ReturnType<typeof setInterval> | undefined;
  #snapshot: PublisherSnapshot;

  constructor() {
    this.#sources = new Sources(this.#quality, {
      onChange: () => this.#publishSnapshot(),
      onVideo: (track) => void this.#connection?.replaceVideo(track).catch(() => undefined),
    });
    this.#snapshot = this.#readSnapshot();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  snapshot = (): PublisherSnapshot => this.#snapshot;

  /** Current peak level of the microphone, 0 to 1. */
  peak = (): number => this.#sources.peak();

  openCameraAndMicrophone(): Promise<void> {
    return this.#open(() => this.#sources.openCameraAndMicrophone());
  }

  openCamera(choice?: CameraChoice): Promise<void> {
    return this.#open(() => this.#sources.openCamera(choice));
  }

  startScreenShare(): Promise<void> {
    return this.#open(() => this.#sources.startScreenShare());
  }

  openMicrophone(choice?: MicrophoneChoice): Promise<void> {
    return this.#open(() => this.#sources.openMicrophone(choice));
  }

  closeMicrophone(): void {
    this.#sources.closeMicrophone();
    if (!this.#sources.hasSource) this.#transition('closed');
  }

  setVideoOff(off: boolean): void {
    this.#sources.setVideoOff(off);
  }

  setAudioOff(off: boolean): void {
    this.#sources.setAudioOff(off);
  }

  async setQuality(quality: Quality): Promise<void> {
    this.#quality = quality;
    this.#publishSnapshot();
    await this.#sources.setQuality(quality);
    await this.#connection?.configure(quality).catch(() => undefined);
  }

  goLive(endpoint: WhipEndpoint): void {
    if (!this.#transition('started')) return;
    this.#endpoint = endpoint;
    this.#problem = null;
    this.#connect();
  }

  /** While connecting: returns to the preview. While live: ends the stream and closes the devices. */
  stop(): void {
    const isConnecting = this.#state === 'connecting';
    if (!this.#transition('stopped')) return;
    this.#disconnect();
    if (!isConnecting) this.#sources.close();
  }

  /** Reconnects without a delay, because the network has changed or is back. */
  retryNow(): void {
    if (this.#state !== 'reconnecting' || this.#connection) return;
    clearTimeout(this.#retryTimer);
    this.#connect();
  }

  /** Ends everything when the page unloads. */
  close(): void {
    this.stop();
    this.#disconnect();
    this.#sources.close();
    this.#transition('closed');
  }

  async #open(open: () => Promise<boolean>): Promise<void> {
    if (this.#state === 'requesting') return;
    this.#transition('requested');
    const isOpen = await open();
    this.#transition(isOpen ? 'granted' : 'denied');
    if (!this.#sources.hasSource) this.#transition('closed');
  }

  #connect(): void {
    const endpoint = this.#endpoint;
    if (!endpoint) return;
    this.#connection = new WhipConnection({
      ...endpoint,
      video: this.#sources.video,
      audio: this.#sources.audio,
      quality: this.#quality,
      onConnected: () => this.#onConnected(),
      onFailed: (problem) => this.#onFailed(problem),
    });
    this.#connection.start();
  }

  #onConnected(): void {
    this.#failureCount = 0;
    this.#problem = null;
    this.#liveSince ??= Date.now();
    this.#figuresTimer ??= setInterval(() => void this.#updateFigures(), FIGURES_INTERVAL_MS);
    this.#transition('connected');
  }

  #onFailed(problem: ConnectionProblem): void {
    this.#connection = null;
    this.#problem = problem;
    this.#figures = null;
    if (this.#transition('lost')) {
      this.#lostAt = performance.now();
      this.#failureCount = 0;
    } else if (this.#state === 'reconnecting') this.#failureCount += 1;
    else {
      this.#transition('failed');
      return;
    }
    this.#planReconnect(this.#failureCount === 0 ? null : problem);
  }

  #planReconnect(problem: ConnectionProblem | null): void {
    const elapsedMs = performance.now() - this.#lostAt;
    const delayMs = reconnectDelayMs({ elapsedMs, failures: this.#failureCount, problem });
    if (delayMs !== null) {
      this.#retryTimer = setTimeout(() => this.#connect(), delayMs);
      return;
    }
    this.#disconnect();
    this.#transition('gave_up');
    this.#sources.close();
  }

  async #updateFigures(): Promise<void> {
    const connection = this.#connection;
    const figures = await connection?.readFigures().catch(() => null);
    if (!isOnAir(this.#state)) return;
    if (figures && connection === this.#connection) this.#figures = figures;
    this.#publishSnapshot();
  }

  #disconnect(): void {
    clearTimeout(this.#retryTimer);
    clearInterval(this.#figuresTimer);
    this.#figuresTimer = undefined;
    this.#connection?.close();
    this.#connection = null;
    this.#figures = null;
  }

  /** @returns whether the event is allowed in the current state */
  #transition(event: PublisherEvent): boolean {
    const nextState = publisherMachine.nextState(this.#state, event);
    if (nextState === null) return false;
    if (nextState === 'requesting') this.#liveSince = null;
    this.#state = nextState;
    this.#publishSnapshot();
    return true;
  }

  #readSnapshot(): PublisherSnapshot {
    return {
      ...this.#sources.snapshot,
      state: this.#state,
      connectionProblem: this.#problem,
      quality: this.#quality,
      figures: this.#figures,
      liveSeconds: this.#liveSince === null ? null : Math.floor((Date.now() - this.#liveSince) / 1_000),
    };
  }

  #publishSnapshot(): void {
    this.#snapshot = this.#readSnapshot();
    for (const listener of this.#listeners) listener();
  }
}

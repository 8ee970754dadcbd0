/** What a cast device plays. */
export interface CastMedia {
  /** URL of the playlist, which the device loads itself. */
  readonly src: string;
  readonly title: string;
  /** URL of an image. */
  readonly poster: string | undefined;
}

/** State of casting. `none`: no device was found, or this browser does not support casting. */
type CastState = 'none' | 'available' | 'casting';

/** URL of the Cast sender API (https://developers.google.com/cast/docs/web_sender/integrate). */
const SCRIPT_URL = 'https://www.gstatic.com/cv/js/sender/v1/cast_sender.js';
/** Application id of Google's default media receiver. */
const RECEIVER_APP_ID = 'CC1AD845';

interface CastSession {
  readonly status: string;
  addUpdateListener: (listener: (isAlive: boolean) => void) => void;
  loadMedia: (request: unknown, onLoaded: () => void, onFailed: () => void) => void;
}

interface MediaInfo {
  streamType: string;
  hlsSegmentFormat: string;
  hlsVideoSegmentFormat: string;
  metadata: unknown;
}

/**
 * Parts of the Cast API that the player uses
 * (https://developers.google.com/cast/docs/reference/web_sender/chrome.cast).
 */
interface CastApi {
  SessionRequest: new (receiver: string) => unknown;
  ApiConfig: new (
    request: unknown,
    onSession: (session: CastSession) => void,
    onAvailability: (availability: string) => void,
  ) => unknown;
  Image: new (url: string) => unknown;
  initialize: (config: unknown, onReady: () => void, onFailed: () => void) => void;
  requestSession: (onStarted: (session: CastSession) => void, onRejected: () => void) => void;
  media: {
    MediaInfo: new (src: string, type: string) => MediaInfo;
    GenericMediaMetadata: new () => { title?: string; images?: unknown[] };
    LoadRequest: new (info: MediaInfo) => { currentTime?: number };
  };
}

declare global {
  interface Window {
    __onGCastApiAvailable?: (available: boolean) => void;
    chrome?: { cast?: CastApi };
  }
}

let state: CastState = 'none';
let api: CastApi | undefined;
/** The video whose stream plays on a device. */
let castVideo: HTMLVideoElement | undefined;
const listeners = new Set<() => void>();

export const castState = (): CastState => state;

/**
 * Calls `onChange` when the state changes. The first call loads the API.
 * @returns a function that stops the calls
 */
export function followCast(onChange: () => void): () => void {
  listeners.add(onChange);
  if (!window.__onGCastApiAvailable) loadApi();
  return () => listeners.delete(onChange);
}

function setCastState(next: CastState): void {
  state = next;
  for (const listener of listeners) listener();
}

function loadApi(): void {
  window.__onGCastApiAvailable = (available) => {
    api = available ? window.chrome?.cast : undefined;
    if (!api) return;
    const onAvailability = (availability: string) => {
      if (state !== 'casting') setCastState(availability === 'available' ? 'available' : 'none');
    };
    const config = new api.ApiConfig(new api.SessionRequest(RECEIVER_APP_ID), followSession, onAvailability);
    api.initialize(config, noop, noop);
  };
  const script = document.createElement('script');
  script.src = SCRIPT_URL;
  document.head.append(script);
}

/** Opens the browser's dialog to choose a device. The local video pauses once the device plays. */
export function startCasting(video: HTMLVideoElement, media: CastMedia): void {
  api?.requestSession((session) => {
    followSession(session);
    castVideo = video;
    session.loadMedia(createLoadRequest(video, media), () => video.pause(), noop);
  }, noop);
}

/** Sets the state until the session ends; then the local video plays again. */
function followSession(session: CastSession): void {
  setCastState('casting');
  session.addUpdateListener((isAlive) => {
    if (isAlive && session.status !== 'stopped') return;
    setCastState('available');
    void castVideo?.play().catch(noop);
    castVideo = undefined;
  });
}

function createLoadRequest(video: HTMLVideoElement, { src, title, poster }: CastMedia): unknown {
  if (!api) return undefined;
  const { media } = api;
  const isLive = !Number.isFinite(video.duration);
  const url = isLive ? createLiveUrl(src) : src;
  const metadata = Object.assign(new media.GenericMediaMetadata(), {
    title,
    images: poster === undefined ? [] : [new api.Image(poster)],
  });
  const info = Object.assign(new media.MediaInfo(url, 'application/x-mpegURL'), {
    streamType: isLive ? 'LIVE' : 'BUFFERED',
    hlsSegmentFormat: 'fmp4',
    hlsVideoSegmentFormat: 'fmp4',
    metadata,
  });
  const request = new media.LoadRequest(info);
  if (!isLive) request.currentTime = video.currentTime;
  return request;
}

/**
 * URL of a live playlist for cast devices, which play it without parts and at its live edge. The viewer's proof of access
 * stays in it.
 */
function createLiveUrl(src: string): string {
  const [path = src, queryText] = src.split('?');
  const query = new URLSearchParams(queryText);
  query.delete('dvr');
  query.set('ll', '0');
  return `${path}?${query.toString()}`;
}

const noop = () => undefined;

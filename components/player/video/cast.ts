export interface CastMedia {
  /** URL of the playlist, which the device loads itself. */
  readonly src: string;
  readonly title: string;
  readonly poster: string | undefined;
}

/** `none`: no device, or no casting support in this browser. */
type CastState = 'none' | 'available' | 'casting';

/** https://developers.google.com/cast/docs/web_sender/integrate */
const SCRIPT = 'https://www.gstatic.com/cv/js/sender/v1/cast_sender.js';
/** Google's default media receiver. */
const RECEIVER = 'CC1AD845';

interface CastSession {
  readonly status: string;
  addUpdateListener: (listener: (alive: boolean) => void) => void;
  loadMedia: (request: unknown, onLoaded: () => void, onFailed: () => void) => void;
}

interface MediaInfo {
  streamType: string;
  hlsSegmentFormat: string;
  hlsVideoSegmentFormat: string;
  metadata: unknown;
}

/** The used parts of the API (https://developers.google.com/cast/docs/reference/web_sender/chrome.cast). */
interface CastApi {
  SessionRequest: new (receiver: string) => unknown;
  ApiConfig: new (
    request: unknown,
    session: (session: CastSession) => void,
    receiver: (availability: string) => void,
  ) => unknown;
  Image: new (url: string) => unknown;
  initialize: (config: unknown, ready: () => void, onFailed: () => void) => void;
  requestSession: (onStarted: (session: CastSession) => void, onRefused: () => void) => void;
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
let cast: HTMLVideoElement | undefined;
const listeners = new Set<() => void>();

export const castState = (): CastState => state;

/** Calls `onChange` when the state changes; the first call loads the API. */
export function followCast(onChange: () => void): () => void {
  listeners.add(onChange);
  if (!window.__onGCastApiAvailable) loadApi();
  return () => listeners.delete(onChange);
}

function change(next: CastState): void {
  state = next;
  for (const listener of listeners) listener();
}

function loadApi(): void {
  window.__onGCastApiAvailable = (available) => {
    api = available ? window.chrome?.cast : undefined;
    if (!api) return;
    const onAvailability = (availability: string) => {
      if (state !== 'casting') change(availability === 'available' ? 'available' : 'none');
    };
    const config = new api.ApiConfig(new api.SessionRequest(RECEIVER), follow, onAvailability);
    api.initialize(config, ignore, ignore);
  };
  const script = document.createElement('script');
  script.src = SCRIPT;
  document.head.append(script);
}

/** Chooses a device, or shows the dialog of the current device; the local video pauses meanwhile. */
export function startCasting(video: HTMLVideoElement, media: CastMedia): void {
  api?.requestSession((session) => {
    follow(session);
    cast = video;
    session.loadMedia(loadRequest(video, media), () => video.pause(), ignore);
  }, ignore);
}

function follow(session: CastSession): void {
  change('casting');
  session.addUpdateListener((alive) => {
    if (alive && session.status !== 'stopped') return;
    change('available');
    void cast?.play().catch(ignore);
    cast = undefined;
  });
}

function loadRequest(video: HTMLVideoElement, { src, title, poster }: CastMedia): unknown {
  if (!api) return undefined;
  const { media } = api;
  const live = !Number.isFinite(video.duration);
  const url = live ? liveUrl(src) : src;
  const metadata = Object.assign(new media.GenericMediaMetadata(), {
    title,
    images: poster === undefined ? [] : [new api.Image(poster)],
  });
  const info = Object.assign(new media.MediaInfo(url, 'application/x-mpegURL'), {
    streamType: live ? 'LIVE' : 'BUFFERED',
    hlsSegmentFormat: 'fmp4',
    hlsVideoSegmentFormat: 'fmp4',
    metadata,
  });
  const request = new media.LoadRequest(info);
  if (!live) request.currentTime = video.currentTime;
  return request;
}

/**
 * URL of a live playlist for cast devices, which play it without parts and at its live edge. The viewer's proof of access
 * stays in it.
 */
function liveUrl(src: string): string {
  const [path = src, text] = src.split('?');
  const query = new URLSearchParams(text);
  query.delete('dvr');
  query.set('ll', '0');
  return `${path}?${query.toString()}`;
}

const ignore = () => undefined;

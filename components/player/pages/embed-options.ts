import { isLivePlaylist } from '../engine/probe';
import type { RealTimeOffer } from '../video/use-real-time';

/** Options of the player in a frame of another site. */
export interface EmbedOptions {
  readonly autoplay: boolean;
  readonly muted: boolean;
  readonly controls: boolean;
}

/** Parsed query of a page. A parameter that occurs several times has a list; its last value applies. */
type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Encodes a parsed query as "?name=value"; empty without parameters. */
export function formatQuery(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

const offValues = new Set(['0', 'false', 'no', 'off']);

/**
 * Options of an embed: `?autoplay`, `?muted` and `?controls`. Each option is on unless its value is 0, false, no
 * or off.
 */
export function parseEmbedOptions(query: Query): EmbedOptions {
  return {
    autoplay: isOn(query, 'autoplay'),
    muted: isOn(query, 'muted'),
    controls: isOn(query, 'controls'),
  };
}

/**
 * Playlist for a viewer page. With `?ll=0` it has no parts, so that caches can serve it to all viewers. Otherwise a
 * live playlist is available from the first part of the stream on.
 */
export function playlistFor<Src extends string | null>(src: Src, query: Query): Src | string {
  if (src === null) return src;
  if (!isOn(query, 'll')) return `${src}?ll=0`;
  return isLivePlaylist(src) ? fromFirstPart(src) : src;
}

/** URL of a live playlist that is available from the first part of a stream on (docs/adr/0023-first-parts-behind-a-gap.md). */
export const fromFirstPart = (src: string): string => `${src}${src.includes('?') ? '&' : '?'}ll=1`;

/** Whether the query of a viewer page asks for WebRTC (`?lat=rtc`). */
export const requestsRealTime = (query: Query): boolean => [query['lat']].flat().at(-1) === 'rtc';

/**
 * Offer of WebRTC playback; undefined if the stream is not available over WebRTC.
 * @param url WHEP URL
 * @param isRequested whether the link asks for WebRTC
 */
export const createRealTimeOffer = (
  url: string | undefined,
  isRequested: boolean,
): RealTimeOffer | undefined => (url === undefined ? undefined : { url, isRequested });

/** Proof of a viewer's access to restricted content; the API and the origin read the same parameters. */
export interface Proof {
  readonly name: 'token' | 'jwt' | 'accessKey';
  readonly value: string;
}

const proofNames = ['token', 'jwt', 'accessKey'] as const;
const MAX_PROOF_LENGTH = 8_192;

/** Proof of access in the query of a viewer page: `?token=`, `?jwt=` or `?accessKey=`. */
export function parseProof(query: Query): Proof | null {
  for (const name of proofNames) {
    const value = [query[name]].flat().at(-1);
    if (value !== undefined && value !== '' && value.length <= MAX_PROOF_LENGTH) return { name, value };
  }
  return null;
}

/** URL with the viewer's proof of access in its query. */
export const withProof = (src: string, proof: Proof | null): string =>
  proof === null
    ? src
    : `${src}${src.includes('?') ? '&' : '?'}${proof.name}=${encodeURIComponent(proof.value)}`;

/** Start position in seconds in the query of a viewer page, such as `?t=90`; undefined if absent or invalid. */
export function parseStartPosition(query: Query): number | undefined {
  const [, seconds] = /^(\d{1,6})s?$/.exec([query.t].flat().at(-1) ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

function isOn(query: Query, name: string): boolean {
  const value = [query[name]].flat().at(-1);
  return value === undefined || !offValues.has(value.toLowerCase());
}

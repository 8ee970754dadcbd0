import { isLivePlaylist } from '../engine/probe';
import type { RealTimeOffer } from '../video/use-real-time';

export interface EmbedOptions {
  readonly autoplay: boolean;
  readonly muted: boolean;
  readonly controls: boolean;
}

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Encodes the options as a query. */
export function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((optionsValue) => [name, optionsValue]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

const no = new Set(['0', 'false', 'no', 'off']);

/** `?autoplay&muted&controls` of an embed: each option is on unless it is `=0`. */
export function embedOptions(query: Query): EmbedOptions {
  return {
    autoplay: isOn(query, 'autoplay'),
    muted: isOn(query, 'muted'),
    controls: isOn(query, 'controls'),
  };
}

/**
 * `?ll=0` of a viewer page: its player uses the playlist without parts, which caches can serve to all viewers.
 * Otherwise playback starts with the first part of a stream, which not every player supports.
 */
export function chosenSource<Src extends string | null>(src: Src, query: Query): Src | string {
  if (src === null) return src;
  if (!isOn(query, 'll')) return `${src}?ll=0`;
  return isLivePlaylist(src) ? fromFirstPart(src) : src;
}

/** URL of a live playlist that is available from the first part of a stream on (docs/adr/0023-first-parts-behind-a-gap.md). */
export const fromFirstPart = (src: string): string => `${src}${src.includes('?') ? '&' : '?'}ll=1`;

/** `?lat=rtc` of a viewer page: it plays over WebRTC if the stream is available over it. */
export const choosesRealTime = (query: Query): boolean => [query['lat']].flat().at(-1) === 'rtc';

/**
 * @param url WHEP URL; undefined: not available
 * @param chosen whether the link asks for WebRTC
 */
export const realTimeOffer = (url: string | undefined, chosen: boolean): RealTimeOffer | undefined =>
  url === undefined ? undefined : { url, chosen };

/** Proof of a viewer's access to gated content; the API and the origin read the same parameters. */
export interface Proof {
  readonly name: 'token' | 'jwt' | 'accessKey';
  readonly value: string;
}

const proofNames = ['token', 'jwt', 'accessKey'] as const;
const maxCredentialLength = 8_192;

/** `?token=`, `?jwt=` or `?accessKey=` of a viewer page. */
export function chosenProof(query: Query): Proof | null {
  for (const name of proofNames) {
    const value = [query[name]].flat().at(-1);
    if (value !== undefined && value !== '' && value.length <= maxCredentialLength) return { name, value };
  }
  return null;
}

/** The URL of a playlist for a viewer with this proof. */
export const withProof = (src: string, proof: Proof | null): string =>
  proof === null
    ? src
    : `${src}${src.includes('?') ? '&' : '?'}${proof.name}=${encodeURIComponent(proof.value)}`;

/** `?t=90` of a viewer page: start position in seconds. Undefined if absent or invalid. */
export function chosenStart(query: Query): number | undefined {
  const [, seconds] = /^(\d{1,6})s?$/.exec([query.t].flat().at(-1) ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

function isOn(query: Query, name: string): boolean {
  const value = [query[name]].flat().at(-1);
  return value === undefined || !no.has(value.toLowerCase());
}

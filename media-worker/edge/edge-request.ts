import type { IncomingHttpHeaders } from 'node:http';
import { pathOf, queryOf, queryValue } from '../http/answer';
import { isPart, parseHlsPath, parsePlaylistQuery, playlistQueryText } from '../http/hls-request';
import { acceptsGzip } from '../origin/serve-bytes';
import { previewIn, tokenIn } from '../origin/watch-playlists';

/** What a request is to an edge: equal requests have equal targets. */
export type EdgeRequest =
  /** A master playlist that names its viewer: passed on for each. What is not there, is not there for all. */
  | { readonly kind: 'master'; readonly target: string; readonly shared: string }
  /** Fetched whole, once for all. */
  | {
      readonly kind: 'whole';
      readonly target: string;
      readonly gzip: boolean;
      /** The stream that an origin may hold it back for. */
      readonly heldFor: string | null;
      /** Whose media playlist it is; `token` is null when they have none. */
      readonly viewer: { readonly playbackId: string; readonly token: string | null } | null;
    }
  /** May be large: fetched in slices. */
  | { readonly kind: 'file'; readonly target: string; readonly accept: string | null }
  | { readonly kind: 'nothing' | 'bad directive' };

const maxLength = 2_048;
const maxAccept = 200;
const filePath = /^\/(?:asset|recordings|brand|ipfs)\/[\w./-]+$/;
const small = /\.(?:m3u8|vtt|jpg|png)$/;
const compressible = /\.(?:m3u8|vtt)$/;
/** What the query of an IPFS address may say. */
const ipfsParameters = ['format', 'filename', 'download'];

/** @param url of a GET or HEAD */
export function readEdgeRequest(url: string, headers: IncomingHttpHeaders): EdgeRequest {
  const path = pathOf(url);
  if (url.length > maxLength || path.includes('..')) return { kind: 'nothing' };
  if (path.startsWith('/hls/')) return hlsRequest(path, url, headers);
  if (!filePath.test(path)) return { kind: 'nothing' };
  if (path.startsWith('/ipfs/')) {
    const query = queryOf(url);
    const kept = ipfsParameters.flatMap((name) => query.getAll(name).map((value) => [name, value]));
    const text = new URLSearchParams(kept).toString();
    return {
      kind: 'file',
      target: text === '' ? path : `${path}?${text}`,
      accept: (headers.accept ?? '').slice(0, maxAccept),
    };
  }
  if (small.test(path)) return { ...whole, target: path, gzip: takesGzip(path, headers) };
  return { kind: 'file', target: path + downloadOf(url), accept: null };
}

/** Of the values of `download`, only `audio` has a meaning. */
function downloadOf(url: string): string {
  const wanted = queryValue(url, 'download');
  if (wanted === null) return '';
  return wanted === 'audio' ? '?download=audio' : '?download';
}

const whole = { kind: 'whole', gzip: false, heldFor: null, viewer: null } as const;

function hlsRequest(path: string, url: string, headers: IncomingHttpHeaders): EdgeRequest {
  const hls = parseHlsPath(path.slice('/hls'.length));
  if (!hls) return { kind: 'nothing' };
  const { playbackId, rendition, kind, file } = hls;
  if (kind !== 'playlist') {
    return { ...whole, target: path, heldFor: isPart(file) ? playbackId : null };
  }
  const query = parsePlaylistQuery(url);
  if (!query) return { kind: 'bad directive' };
  const text = playlistQueryText(query);
  const gzip = takesGzip(path, headers);
  const heldFor = query.msn === null ? null : playbackId;
  if (rendition !== null) {
    // A preview is its owner's, who is not counted.
    const viewer = previewIn(url) === null ? { playbackId, token: tokenIn(url) } : null;
    return { ...whole, target: path + text, gzip, heldFor, viewer };
  }
  const probe = queryValue(url, 'probe') === null ? '' : 'probe';
  const shared = path + text + (probe && (text === '' ? '?' : '&') + probe);
  if (!query.lowLatency) return { ...whole, target: shared, gzip, heldFor };
  const preview = previewIn(url);
  const more = preview === null ? '' : `${shared.includes('?') ? '&' : '?'}preview=${preview}`;
  return { kind: 'master', target: shared + more, shared };
}

function takesGzip(path: string, headers: IncomingHttpHeaders): boolean {
  return compressible.test(path) && acceptsGzip(headers['accept-encoding']);
}
